import { bulkDelete, type Role } from '@rogatka/contract/roles.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { useSuccessToast } from '../core/useSuccessToast.ts'
import { useWarningToast } from '../core/useWarningToast.ts'
import { BulkDelete } from '../ui/BulkDelete.tsx'
import type { useSelection } from '../ui/useSelection.ts'

type Props = { selection: ReturnType<typeof useSelection<Role>> }

/** Deletes the chosen roles: all of them or none. */
export function DeleteRoles({ selection }: Props) {
  const { t } = useTranslation('roles')
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
    await client.invalidateQueries({ queryKey: ['roles'] })
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
