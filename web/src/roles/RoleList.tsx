import { Button } from '@mantine/core'
import { roleOrders } from '@rogatka/contract/options.ts'
import { bulkDelete, type Role } from '@rogatka/contract/roles.ts'
import { ADMINISTRATOR_ROLE } from '@rogatka/contract/users.ts'
import { canManage } from '@rogatka/domain/users/grants.ts'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../core/call.ts'
import { showError } from '../core/errors.ts'
import { MISSING } from '../core/format.ts'
import { DeleteSelected } from '../core/frame/DeleteSelected.tsx'
import { PagedTable } from '../core/frame/PagedTable.tsx'
import { PageLayout } from '../core/frame/PageLayout.tsx'
import { levelOf } from '../core/urlParams.ts'
import { useRight, useSelf } from '../core/useSelf.ts'
import { AddButton } from '../ui/AddButton.tsx'
import type { Column } from '../ui/DataTable.tsx'
import { PencilIcon } from '../ui/icons.tsx'
import { ListTitle } from '../ui/ListTitle.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import type { Level } from '../ui/sortLevels.ts'
import { useSelection } from '../ui/useSelection.ts'
import { PAGE_SIZE, useRolePage } from './useRoles.ts'

type Props = {
  page: number
  name: string | undefined
  /** As text, see `orderIn`. */
  order: string | undefined
  onOrder: (level: Level | undefined) => void
  onPage: (page: number) => void
  onSearch: (name: string) => void
  onAdd: () => void
  onEdit: (id: number) => void
}

/** List of roles by name, ten per page; read-only without the right to change them. */
export function RoleList({ page, name, order, onOrder, onPage, onSearch, onAdd, onEdit }: Props) {
  const { t } = useTranslation('roles')
  const canChange = useRight('Roles')
  const { data: self } = useSelf()
  const result = useRolePage(page, name, order)
  const selection = useSelection<Role>((role) => role.name)
  const { error, refetch } = result
  useEffect(() => {
    if (error) showError(error, { title: t('list-failed'), retry: () => void refetch() })
  }, [error, refetch, t])

  const canSelect = ({ id, permissions }: Role) =>
    id !== ADMINISTRATOR_ROLE &&
    canManage(
      self?.permissions ?? [],
      permissions.map(({ name }) => name),
    )
  return (
    <PageLayout
      title={<ListTitle>{t('core:nav-roles')}</ListTitle>}
      actions={
        canChange && (
          <>
            <DeleteSelected feature="roles" selection={selection} remove={(ids) => call(bulkDelete, { body: ids })} />
            <AddButton label={t('add')} onClick={onAdd} />
          </>
        )
      }
    >
      <PagedTable
        feature="roles"
        label={t('core:nav-roles')}
        result={result}
        columns={useColumns(canChange, onEdit)}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={onPage}
        order={{
          columns: roleOrders,
          level: levelOf(order) ?? { column: 'name', direction: 'asc' },
          onChange: onOrder,
        }}
        nothing={t('none', { name })}
        showsFailure
        search={<SearchField label={t('search')} value={name ?? ''} onSearch={onSearch} />}
        selection={
          canChange
            ? { selected: selection, canSelect, nameOf: (role) => role.name, allLabel: t('ui:select-all') }
            : undefined
        }
      />
    </PageLayout>
  )
}

function useColumns(canChange: boolean, onEdit: (id: number) => void): Column<Role>[] {
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
        aria-label={t('edit-named', { name })}
        onClick={() => onEdit(id)}
      >
        {t('ui:edit')}
      </Button>
    ),
  }
  return [
    { key: 'name', title: t('name'), head: true, cell: ({ name }) => name },
    { key: 'description', title: t('ui:description'), wide: true, cell: ({ description }) => description ?? MISSING },
    {
      key: 'permissions',
      title: t('permissions'),
      right: true,
      first: 'desc',
      cell: ({ permissions }) => permissions.length,
    },
    { key: 'users', title: t('core:nav-users'), right: true, first: 'desc', cell: ({ users }) => users },
    ...(canChange ? [edit] : []),
  ]
}
