import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import css from './EmptyState.module.css'

type Props = {
  /** What is empty. */
  title: string
  /** What to change. */
  hint?: string
  /** A button or link that changes it. */
  children?: ReactNode
}

export const EmptyState = ({ title, hint, children }: Props) => (
  <div className={css.empty}>
    <h1>{title}</h1>
    {hint && <p>{hint}</p>}
    {children && <div className={css.action}>{children}</div>}
  </div>
)

/** Error state with a retry button. */
export function FailedState({ title, hint, retry }: Omit<Props, 'children'> & { retry: () => void }) {
  const { t } = useTranslation('ui')
  return (
    <EmptyState title={title} {...(hint && { hint })}>
      <Button variant="default" onClick={retry}>
        {t('try-again')}
      </Button>
    </EmptyState>
  )
}
