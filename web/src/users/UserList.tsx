import { userOrders } from '@rogatka/contract/options.ts'
import { bulkDelete, type WireUser } from '@rogatka/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { DeleteSelected } from '../core/frame/DeleteSelected.tsx'
import { PagedTable } from '../core/frame/PagedTable.tsx'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { levelOf } from '../core/urlParams.ts'
import { useSelf } from '../core/useSelf.ts'
import { AddButton } from '../ui/AddButton.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import type { Level } from '../ui/sortLevels.ts'
import { useSelection } from '../ui/useSelection.ts'
import { useUserColumns } from './UserColumns.tsx'
import { PAGE_SIZE, useUserPage } from './useUsers.ts'

type Props = {
  page: number
  username: string | undefined
  /** As text, see `orderIn`. */
  order: string | undefined
  onOrder: (level: Level | undefined) => void
  onPage: (page: number) => void
  onSearch: (username: string) => void
  onAdd: () => void
  onEdit: (id: number) => void
}

/** List of users by name, ten per page. */
export function UserList({ page, username, order, onOrder, onPage, onSearch, onAdd, onEdit }: Props) {
  const { t } = useTranslation('users')
  const { data: self } = useSelf()
  const selection = useSelection<WireUser>((user) => user.username)
  return (
    <PageLayout
      title={<ListTitle>{t('core:nav-users')}</ListTitle>}
      actions={
        <>
          <DeleteSelected feature="users" selection={selection} remove={(ids) => call(bulkDelete, { body: ids })} />
          <AddButton label={t('add')} onClick={onAdd} />
        </>
      }
    >
      <PagedTable
        feature="users"
        label={t('core:nav-users')}
        result={useUserPage(page, username, order)}
        columns={useUserColumns(onEdit)}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={onPage}
        order={{
          columns: userOrders,
          level: levelOf(order) ?? { column: 'username', direction: 'asc' },
          onChange: onOrder,
        }}
        nothing={t('none', { username })}
        search={<SearchField label={t('search')} value={username ?? ''} onSearch={onSearch} />}
        selection={{
          selected: selection,
          canSelect: (user) => user.manageable && user.id !== self?.id,
          nameOf: (user) => user.username,
          allLabel: t('select-all'),
        }}
      />
    </PageLayout>
  )
}
