import { Button } from '@mantine/core'
import type { Role } from '@rogatka/contract/roles.ts'
import { ADMINISTRATOR_ROLE } from '@rogatka/contract/users.ts'
import { canManage } from '@rogatka/domain/users/grants.ts'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { showError } from '../core/errors.ts'
import { MISSING, useFormat } from '../core/format.ts'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { usePages } from '../core/usePages.ts'
import { useRight, useSelf } from '../core/useSelf.ts'
import { AddButton } from '../ui/AddButton.tsx'
import { type Column, DataTable } from '../ui/DataTable.tsx'
import { PencilIcon } from '../ui/icons.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { ListToolbar } from '../ui/ListToolbar.tsx'
import { Loading } from '../ui/Loading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { pageCount } from '../ui/pages.ts'
import { SearchField } from '../ui/SearchField.tsx'
import { useSelection } from '../ui/useSelection.ts'
import { DeleteRoles } from './DeleteRoles.tsx'
import { PAGE_SIZE, useRolePage } from './useRoles.ts'

type Props = {
  page: number
  name: string | undefined
  onPage: (page: number) => void
  onSearch: (name: string) => void
  onAdd: () => void
  onEdit: (id: number) => void
}

/** Ten roles a page, by name; who may not change them only looks. */
export function RoleList({ page, name, onPage, onSearch, onAdd, onEdit }: Props) {
  const { t } = useTranslation('roles')
  const { number } = useFormat()
  const mayChange = useRight('Roles')
  const { data, error, refetch, isPlaceholderData } = useRolePage(page, name)
  const selection = useSelection<Role>((role) => role.name)
  const columns = useColumns(mayChange, onEdit)
  const count = data && !isPlaceholderData ? pageCount(data.totalCount, PAGE_SIZE) : undefined
  usePages({ page, count, onPage })
  useEffect(() => {
    if (error) showError(error, { title: t('list-failed'), retry: () => void refetch() })
  }, [error, refetch, t])

  const rows = data?.content ?? []
  const { data: self } = useSelf()
  const may = ({ id, permissions }: Role) =>
    id !== ADMINISTRATOR_ROLE &&
    canManage(
      self?.permissions ?? [],
      permissions.map(({ name }) => name),
    )
  const pages = pageCount(data?.totalCount ?? 0, PAGE_SIZE)
  return (
    <PageLayout
      title={<ListTitle>{t('core:nav-roles')}</ListTitle>}
      actions={
        mayChange && (
          <>
            <DeleteRoles selection={selection} />
            <AddButton label={t('add')} onClick={onAdd} />
          </>
        )
      }
    >
      <ListToolbar>
        <SearchField label={t('search')} value={name ?? ''} onSearch={onSearch} />
        {data && <ListToolbar.Count>{t('count', { count: data.totalCount })}</ListToolbar.Count>}
      </ListToolbar>
      {!error && !data && <Loading label={t('loading')} />}
      {data?.totalCount === 0 && <Notice kind="quiet">{t('none', { name })}</Notice>}
      {rows.length > 0 && (
        <DataTable
          label={t('core:nav-roles')}
          columns={columns}
          rows={rows}
          keyOf={({ id }) => id}
          stale={isPlaceholderData}
          selection={
            mayChange
              ? {
                  chosen: selection.ids,
                  onToggle: selection.toggle,
                  onToggleAll: () => selection.toggleAll(rows.filter(may)),
                  may,
                  label: (role) => t('ui:select-row', { name: role.name }),
                  allLabel: t('choose-all'),
                }
              : undefined
          }
        />
      )}
      {pages > 1 && <Pagination page={Math.min(page, pages)} count={pages} onPage={onPage} format={number} />}
    </PageLayout>
  )
}

function useColumns(mayChange: boolean, onEdit: (id: number) => void): Column<Role>[] {
  const { t } = useTranslation('roles')
  const edit: Column<Role> = {
    key: 'edit',
    title: t('ui:edit'),
    plain: true,
    right: true,
    cell: ({ id, name }) => (
      <Button
        variant="default"
        size="xs"
        leftSection={<PencilIcon size={14} />}
        aria-label={t('edit-which', { name })}
        onClick={() => onEdit(id)}
      >
        {t('ui:edit')}
      </Button>
    ),
  }
  return [
    { key: 'name', title: t('name'), head: true, cell: ({ name }) => name },
    { key: 'description', title: t('ui:description'), wide: true, cell: ({ description }) => description ?? MISSING },
    { key: 'permissions', title: t('permissions'), right: true, cell: ({ permissions }) => permissions.length },
    { key: 'users', title: t('core:nav-users'), right: true, cell: ({ users }) => users },
    ...(mayChange ? [edit] : []),
  ]
}
