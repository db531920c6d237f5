import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { answerStepUp } from '../stepUp.ts'
import css from './LazyDialog.module.css'

/** Placeholder while the script of the dialog loads, or if it cannot be loaded; Escape gives up. */
export function StepUpWaiting({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  return (
    <div
      ref={(waiting) => waiting?.focus()}
      className={css.waiting}
      role="dialog"
      aria-label={t('errors:step-up-required')}
      tabIndex={-1}
      onKeyDown={({ key }) => key === 'Escape' && answerStepUp(false)}
    >
      {children}
    </div>
  )
}
