import { Button } from '@mantine/core'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { TrashIcon } from '../../ui/icons.tsx'
import { hasCode } from '../failure.ts'
import { useSuccessToast } from '../useSuccessToast.ts'
import { useWarningToast } from '../useWarningToast.ts'

type Props = {
  name: string
  question: string
  hint?: string
  /** Error code of an entry that was already deleted by another user, which counts as success. */
  gone: ErrorCode
  /** Calls the API. */
  remove: () => Promise<unknown>
  onDeleted: () => void
}

/** Delete button of a row, with a confirmation. */
export function DeleteEntry({ name, question, hint, gone, remove, onDeleted }: Props) {
  const { t } = useTranslation('ui')
  const [state, setState] = useState<'closed' | 'asking' | 'deleting'>('closed')
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const confirm = async () => {
    setState('deleting')
    try {
      await remove()
      showSuccess(t('deleted', { name }))
    } catch (error) {
      if (!hasCode(error, gone)) showWarning(t('delete-failed'), error)
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
        {t('delete')}
      </Button>
      <ConfirmDialog
        title={question}
        open={state !== 'closed'}
        onClose={() => setState('closed')}
        onConfirm={() => void confirm()}
        confirmLabel={t('delete')}
        destructive
        pending={state === 'deleting'}
      >
        {hint}
      </ConfirmDialog>
    </>
  )
}
