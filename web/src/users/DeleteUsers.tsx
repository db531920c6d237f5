import { bulkDelete, type WireUser } from '@rogatka/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { DeleteSelected } from '../core/frame/DeleteSelected.tsx'
import type { useSelection } from '../ui/useSelection.ts'

type Props = { selection: ReturnType<typeof useSelection<WireUser>> }

/** Deletes the selected users: all of them or none. */
export function DeleteUsers({ selection }: Props) {
  const { t } = useTranslation('users')
  const count = selection.ids.size
  return (
    <DeleteSelected
      selection={selection}
      remove={(ids) => call(bulkDelete, { body: ids })}
      queryKey="users"
      texts={{
        question: t('delete-question', { count }),
        deleted: t('deleted', { count }),
        failed: t('delete-failed'),
      }}
    />
  )
}
