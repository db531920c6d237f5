import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import css from './ConfirmDialog.module.css'
import { Dialog } from './Dialog.tsx'

type Props = {
  /** The question, for example "Usunąć 3 użytkowników?". */
  title: string
  open: boolean
  onClose: () => void
  onConfirm: () => void
  /** Label of the button, for example "Usuń". */
  confirmLabel: string
  /** Red button. */
  destructive?: boolean
  pending?: boolean
  children?: ReactNode
}

/** Asks for confirmation of an irreversible action; Cancel has the initial focus. */
export function ConfirmDialog(props: Props) {
  const { title, open, onClose, onConfirm, confirmLabel, destructive = false, pending = false, children } = props
  const { t } = useTranslation('ui')
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      {children}
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('cancel')}
        </Button>
        <Button {...(destructive && { color: 'red' })} onClick={onConfirm} loading={pending}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
