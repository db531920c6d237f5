import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { BulkDelete } from '../../ui/BulkDelete.tsx'
import type { useSelection } from '../../ui/useSelection.ts'
import { useSuccessToast } from '../useSuccessToast.ts'
import { useWarningToast } from '../useWarningToast.ts'

type Props = {
  /** Namespace of `delete-question`, `deleted`, `delete-failed`, and first part of the query keys. */
  feature: string
  selection: Pick<ReturnType<typeof useSelection>, 'ids' | 'names' | 'clear'>
  /** All or none, in one request. */
  remove: (ids: number[]) => Promise<unknown>
}

/** Deletes the selected rows of a list after a confirmation. */
export function DeleteSelected({ feature, selection, remove }: Props) {
  const { t } = useTranslation(feature)
  const client = useQueryClient()
  const count = selection.ids.size
  const showSuccess = useSuccessToast()
  const showWarning = useWarningToast()
  const confirm = async () => {
    try {
      await remove([...selection.ids])
      showSuccess(t('deleted', { count }))
      selection.clear()
    } catch (error) {
      showWarning(t('delete-failed'), error)
    }
    await client.invalidateQueries({ queryKey: [feature] })
  }
  return (
    <BulkDelete
      names={selection.names}
      texts={{
        button: t('ui:delete-count', { count }),
        question: t('delete-question', { count }),
        confirm: t('ui:delete'),
      }}
      onConfirm={confirm}
    />
  )
}
