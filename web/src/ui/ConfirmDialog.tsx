import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import css from './ConfirmDialog.module.css'
import { Dialog } from './Dialog.tsx'

type Props = {
  /** The question: "Usunąć 3 użytkowników?" */
  title: string
  open: boolean
  onClose: () => void
  onConfirm: () => void
  /** What the button does: "Usuń". */
  confirm: string
  /** It takes something away. */
  destructive?: boolean
  pending?: boolean
  children?: ReactNode
}

/** Asks before something that cannot be taken back; the way out has the focus. */
export function ConfirmDialog(props: Props) {
  const { title, open, onClose, onConfirm, confirm, destructive = false, pending = false, children } = props
  const { t } = useTranslation('ui')
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      {children}
      <div className={css.buttons}>
        <Button variant="default" onClick={onClose} data-autofocus>
          {t('cancel')}
        </Button>
        <Button {...(destructive && { color: 'red' })} onClick={onConfirm} loading={pending}>
          {confirm}
        </Button>
      </div>
    </Dialog>
  )
}
