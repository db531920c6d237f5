import type { WireUser } from '@rogatka/contract/users.ts'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { useListFailure } from '../core/useListFailure.ts'
import { usePages } from '../core/usePages.ts'
import { useSelf } from '../core/useSelf.ts'
import { AddButton } from '../ui/AddButton.tsx'
import { DataTable } from '../ui/DataTable.tsx'
import { ErrorBanner } from '../ui/ErrorBanner.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { ListToolbar } from '../ui/ListToolbar.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { pageCount } from '../ui/pages.ts'
import { SearchField } from '../ui/SearchField.tsx'
import { useSelection } from '../ui/useSelection.ts'
import { DeleteUsers } from './DeleteUsers.tsx'
import { useUserColumns } from './UserColumns.tsx'
import { PAGE_SIZE, useUserPage } from './useUsers.ts'

type Props = {
  page: number
  username: string | undefined
  onPage: (page: number) => void
  onSearch: (username: string) => void
  onAdd: () => void
  onEdit: (id: number) => void
}

/** Ten users a page, by name. */
export function UserList({ page, username, onPage, onSearch, onAdd, onEdit }: Props) {
  const { t } = useTranslation('users')
  const { number } = useFormat()
  const { data: self } = useSelf()
  const { data, error, refetch, isPlaceholderData } = useUserPage(page, username)
  const selection = useSelection<WireUser>((user) => user.username)
  const columns = useUserColumns(onEdit)
  const count = data && !isPlaceholderData ? pageCount(data.totalCount, PAGE_SIZE) : undefined
  usePages({ page, count, onPage })
  useListFailure(t('list-failed'), error, data !== undefined)

  const rows = data?.content ?? []
  const may = (user: WireUser) => user.manageable && user.id !== self?.id
  const pages = pageCount(data?.totalCount ?? 0, PAGE_SIZE)
  return (
    <PageLayout
      title={<ListTitle>{t('core:nav-users')}</ListTitle>}
      actions={
        <>
          <DeleteUsers selection={selection} />
          <AddButton label={t('add')} onClick={onAdd} />
        </>
      }
    >
      <ListToolbar>
        <SearchField label={t('search')} value={username ?? ''} onSearch={onSearch} />
        {data && <ListToolbar.Count>{t('count', { count: data.totalCount })}</ListToolbar.Count>}
      </ListToolbar>
      {error && !data && <ErrorBanner error={error} title={t('list-failed')} retry={() => void refetch()} />}
      {!error && !data && <Loading label={t('loading')} />}
      {data?.totalCount === 0 && <Notice kind="quiet">{t('none', { username })}</Notice>}
      {rows.length > 0 && (
        <DataTable
          label={t('core:nav-users')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          stale={isPlaceholderData}
          selection={{
            chosen: selection.ids,
            onToggle: selection.toggle,
            onToggleAll: () => selection.toggleAll(rows.filter(may)),
            may,
            label: (user) => t('choose', { username: user.username }),
            allLabel: t('choose-all'),
          }}
        />
      )}
      {pages > 1 && <Pagination page={Math.min(page, pages)} count={pages} onPage={onPage} format={number} />}
    </PageLayout>
  )
}
