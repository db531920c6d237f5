import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './IconButton.tsx'
import { CloseIcon } from './icons.tsx'
import css from './Notice.module.css'
import toneCss from './tone.module.css'

type Props = {
  /** `attention` amber, `error` red, `quiet` without colour. */
  kind?: 'attention' | 'error' | 'quiet'
  children: ReactNode
  dismiss?: () => void
}

/** Message with a coloured edge; screen readers announce errors immediately. */
export function Notice({ kind = 'attention', children, dismiss }: Props) {
  const { t } = useTranslation('ui')
  return (
    <div
      className={`${css.notice} ${kind === 'quiet' ? css.quiet : toneCss[kind]}`}
      role={kind === 'error' ? 'alert' : 'status'}
    >
      <div className={css.text}>{children}</div>
      {dismiss && (
        <IconButton className={css.dismiss} onClick={dismiss} aria-label={t('dismiss')}>
          <CloseIcon />
        </IconButton>
      )}
    </div>
  )
}

function Actions({ children }: { children: ReactNode }) {
  return <div className={css.actions}>{children}</div>
}
Notice.Actions = Actions
