import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { EntryFormProps } from '../core/useEntryForm.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { Dialog } from '../ui/Dialog.tsx'

type Props<T> = {
  title: string
  /** Absent: a new one. */
  entry?: T | undefined
  onClose: () => void
  onChanged: () => void
  children: (form: EntryFormProps<T> & { onCancel: () => void }) => ReactNode
}

/** Dialog with the form of a group, a sign or a content, which closes once it is saved. */
export function UpkeepDialog<T>({ title, entry, onClose, onChanged, children }: Props<T>) {
  const { t } = useTranslation('vms')
  const showSuccess = useSuccessToast()
  const onSaved = () => {
    showSuccess(t('ui:changes-saved'))
    onChanged()
    onClose()
  }
  return (
    <Dialog title={title} open onClose={onClose} wide>
      {children({ ...(entry && { entry }), onSaved, onStale: onChanged, onCancel: onClose })}
    </Dialog>
  )
}
