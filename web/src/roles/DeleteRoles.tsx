import { bulkDelete, type Role } from '@rogatka/contract/roles.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { DeleteSelected } from '../core/frame/DeleteSelected.tsx'
import type { useSelection } from '../ui/useSelection.ts'

type Props = { selection: ReturnType<typeof useSelection<Role>> }

/** Deletes the selected roles: all of them or none. */
export function DeleteRoles({ selection }: Props) {
  const { t } = useTranslation('roles')
  const count = selection.ids.size
  return (
    <DeleteSelected
      selection={selection}
      remove={(ids) => call(bulkDelete, { body: ids })}
      queryKey="roles"
      texts={{
        question: t('delete-question', { count }),
        deleted: t('deleted', { count }),
        failed: t('delete-failed'),
      }}
    />
  )
}
