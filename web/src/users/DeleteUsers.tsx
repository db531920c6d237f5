import { bulkDelete, type WireUser } from '@rogatka/contract/users.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { BulkDelete } from '../ui/BulkDelete.tsx'
import type { useSelection } from '../ui/useSelection.ts'

type Props = { selection: ReturnType<typeof useSelection<WireUser>> }

/** Deletes the chosen users: all of them or none. */
export function DeleteUsers({ selection }: Props) {
  const { t } = useTranslation('users')
  const client = useQueryClient()
  const done = useSuccessToast()
  const toast = useWarningToast()
  const count = selection.ids.size
  const remove = async () => {
    try {
      await call(bulkDelete, { body: [...selection.ids] })
      done(t('deleted', { count }))
      selection.clear()
    } catch (error) {
      toast(t('delete-failed'), error)
    }
    await client.invalidateQueries({ queryKey: ['users'] })
  }
  return (
    <BulkDelete
      names={selection.names}
      texts={{
        button: t('ui:delete-count', { count }),
        question: t('delete-question', { count }),
        confirm: t('ui:delete'),
      }}
      onConfirm={remove}
    />
  )
}
