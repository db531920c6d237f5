import { Button } from '@mantine/core'
import { removeContact, removePlate, type WireWantedContact, type WireWantedPlate } from '@rogatka/contract/wanted.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { hasCode } from '../core/failure.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { TrashIcon } from '../ui/icons.tsx'

type Props = {
  name: string
  question: string
  hint: string
  /** Calls the API. */
  remove: () => Promise<unknown>
  onDeleted: () => void
}

/** Delete button of a row, with a confirmation. */
function DeleteEntry({ name, question, hint, remove, onDeleted }: Props) {
  const { t } = useTranslation('wanted')
  const [state, setState] = useState<'closed' | 'asking' | 'deleting'>('closed')
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const confirm = async () => {
    setState('deleting')
    try {
      await remove()
      showSuccess(t('deleted', { name }))
    } catch (error) {
      // Already deleted by another user: counts as success.
      if (!hasCode(error, 'wanted-plate-not-found') && !hasCode(error, 'contact-not-found'))
        showWarning(t('delete-failed'), error)
    }
    setState('closed')
    onDeleted()
  }
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<TrashIcon size={14} />}
        aria-label={t('delete-named', { name })}
        onClick={() => setState('asking')}
      >
        {t('ui:delete')}
      </Button>
      <ConfirmDialog
        title={question}
        open={state !== 'closed'}
        onClose={() => setState('closed')}
        onConfirm={() => void confirm()}
        confirmLabel={t('ui:delete')}
        destructive
        pending={state === 'deleting'}
      >
        {hint}
      </ConfirmDialog>
    </>
  )
}

export function DeletePlate({ plate, onDeleted }: { plate: WireWantedPlate; onDeleted: () => void }) {
  const { t } = useTranslation('wanted')
  return (
    <DeleteEntry
      name={plate.plateLpr}
      question={t('delete-plate-question', { name: plate.plateLpr })}
      hint={plate.hits > 0 ? t('delete-plate-hint', { count: plate.hits }) : ''}
      remove={() => call(removePlate, { params: { id: plate.id } })}
      onDeleted={onDeleted}
    />
  )
}

export function DeleteContact({ contact, onDeleted }: { contact: WireWantedContact; onDeleted: () => void }) {
  const { t } = useTranslation('wanted')
  return (
    <DeleteEntry
      name={contact.contact}
      question={t('delete-contact-question', { name: contact.contact })}
      hint={t('delete-contact-hint')}
      remove={() => call(removeContact, { params: { id: contact.id } })}
      onDeleted={onDeleted}
    />
  )
}
