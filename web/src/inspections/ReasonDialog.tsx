import { Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../ui/Dialog.tsx'
import { DialogButtons } from './DialogButtons.tsx'
import css from './Inspection.module.css'

const MIN = 3
const MAX = 200

type Props = {
  title: string
  /** Plate and number of the inspection. */
  about: string
  confirmLabel: string
  onClose: () => void
  onConfirm: (reason: string) => void
}

/** Asks for the reason of a step. */
export function ReasonDialog({ title, about, confirmLabel, onClose, onConfirm }: Props) {
  const { t } = useTranslation('inspections')
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string | null>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim().length < MIN) setError(t('reason-missing'))
    else onConfirm(reason.trim())
  }
  return (
    <Dialog title={title} open onClose={onClose}>
      <form onSubmit={submit} noValidate>
        <p className={css.about}>{about}</p>
        <Textarea
          label={t('reason')}
          value={reason}
          error={error}
          maxLength={MAX}
          autosize
          minRows={2}
          data-autofocus
          onChange={({ currentTarget }) => {
            setReason(currentTarget.value)
            setError(null)
          }}
        />
        <DialogButtons confirmLabel={confirmLabel} onClose={onClose} />
      </form>
    </Dialog>
  )
}
