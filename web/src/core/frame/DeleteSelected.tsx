import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { BulkDelete } from '../../ui/BulkDelete.tsx'
import type { useSelection } from '../../ui/useSelection.ts'
import { useSuccessToast } from '../useSuccessToast.ts'
import { useWarningToast } from '../useWarningToast.ts'

type Props = {
  selection: Pick<ReturnType<typeof useSelection>, 'ids' | 'names' | 'clear'>
  /** All of them or none. */
  remove: (ids: number[]) => Promise<unknown>
  /** What the queries of the list begin with. */
  queryKey: string
  texts: { question: string; deleted: string; failed: string }
}

/** Deletes the selected rows of a list, after a question. */
export function DeleteSelected({ selection, remove, queryKey, texts }: Props) {
  const { t } = useTranslation('ui')
  const client = useQueryClient()
  const done = useSuccessToast()
  const toast = useWarningToast()
  const confirm = async () => {
    try {
      await remove([...selection.ids])
      done(texts.deleted)
      selection.clear()
    } catch (error) {
      toast(texts.failed, error)
    }
    await client.invalidateQueries({ queryKey: [queryKey] })
  }
  return (
    <BulkDelete
      names={selection.names}
      texts={{
        button: t('delete-count', { count: selection.ids.size }),
        question: texts.question,
        confirm: t('delete'),
      }}
      onConfirm={confirm}
    />
  )
}
