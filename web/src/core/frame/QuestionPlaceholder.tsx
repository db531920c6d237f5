import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { answerPurpose } from '../purpose.ts'
import { answerStepUp } from '../stepUp.ts'
import css from './LazyDialog.module.css'

type Props = { label: string; onEscape: () => void; children: ReactNode }

/** Placeholder while the script of a dialog loads, or if it cannot be loaded; Escape gives up. */
const QuestionPlaceholder = ({ label, onEscape, children }: Props) => (
  <div
    ref={(waiting) => waiting?.focus()}
    className={css.waiting}
    role="dialog"
    aria-label={label}
    tabIndex={-1}
    onKeyDown={({ key }) => key === 'Escape' && onEscape()}
  >
    {children}
  </div>
)

export function StepUpPlaceholder({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <QuestionPlaceholder label={t('errors:step-up-required')} onEscape={() => answerStepUp(false)}>
      {children}
    </QuestionPlaceholder>
  )
}

export function PurposePlaceholder({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <QuestionPlaceholder label={t('errors:purpose-missing')} onEscape={() => answerPurpose(false)}>
      {children}
    </QuestionPlaceholder>
  )
}
