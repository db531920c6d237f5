import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { AddRole } from './AddRole.tsx'
import { EditRole } from './EditRole.tsx'
import { RoleList } from './RoleList.tsx'
import { type RolesSearch, readRolesSearch } from './search.ts'

/** The roles: their list, or in its place the form of a new or of a chosen one. The way back loads the list anew. */
export function RolesPage() {
  const search = readRolesSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const client = useQueryClient()
  const go = (next: RolesSearch, options: { replace?: boolean; ignoreBlocker?: boolean } = {}) =>
    void navigate({ to: '/role-group-management', search: next, ...options })
  const list = { page: search.page, name: search.name }
  const close = () => {
    void client.invalidateQueries({ queryKey: ['roles', 'page'] })
    go(list)
  }
  const saved = () => go(list, { ignoreBlocker: true })

  if (search.add) return <AddRole onClose={close} onSaved={saved} />
  if (search.edit) return <EditRole key={search.edit} id={search.edit} onClose={close} onSaved={saved} />
  return (
    <RoleList
      page={search.page ?? 1}
      name={search.name}
      onPage={(page) => go({ ...list, page: page === 1 ? undefined : page })}
      onSearch={(name) => go({ name: name || undefined }, { replace: true })}
      onAdd={() => go({ ...list, add: true })}
      onEdit={(edit) => go({ ...list, edit })}
    />
  )
}
