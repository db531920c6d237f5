import { useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useListUrl } from '../core/useListUrl.ts'
import { AddRole } from './AddRole.tsx'
import { EditRole } from './EditRole.tsx'
import { RoleList } from './RoleList.tsx'
import { readRolesSearch } from './search.ts'

/** Roles: the list, or the form of a new or selected role. Closing the form refetches the list. */
export function RolesPage() {
  const search = readRolesSearch(useSearch({ strict: false }))
  const client = useQueryClient()
  const { list, saved, ...listUrl } = useListUrl(search, 'name')
  const close = () => {
    void client.invalidateQueries({ queryKey: ['roles', 'page'] })
    listUrl.close()
  }

  if (search.add) return <AddRole onClose={close} onSaved={saved} />
  if (search.edit) return <EditRole key={search.edit} id={search.edit} onClose={close} onSaved={saved} />
  return <RoleList {...list} name={search.name} />
}
