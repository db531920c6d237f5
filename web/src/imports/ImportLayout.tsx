import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { Steps } from '../ui/Steps.tsx'
import css from './Imports.module.css'

type LayoutProps = { step: number; actions?: ReactNode; children: ReactNode }

/** Title, steps and actions of the bar. A completed step leads to a new file: an import has no way back. */
export function ImportLayout({ step, actions, children }: LayoutProps) {
  const { t } = useTranslation('imports')
  const navigate = useNavigate()
  const steps = ['step-file', 'step-trial', 'step-run', 'step-done'].map((name) => t(name))
  return (
    <PageLayout
      title={
        <div className={css.title}>
          <ListTitle>{t('core:nav-imports')}</ListTitle>
          <Steps steps={steps} current={step} onPick={() => void navigate({ to: '/imports', search: {} })} />
        </div>
      }
      actions={actions}
    >
      {children}
    </PageLayout>
  )
}
