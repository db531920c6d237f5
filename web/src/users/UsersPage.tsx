import { useSearch } from '@tanstack/react-router'
import { useListUrl } from '../core/useListUrl.ts'
import { AddUser } from './AddUser.tsx'
import { EditUser } from './EditUser.tsx'
import { readUsersSearch } from './search.ts'
import { UserList } from './UserList.tsx'

/** User management: the list, or the form of a new or selected user. */
export function UsersPage() {
  const search = readUsersSearch(useSearch({ strict: false }))
  const { list, close, saved } = useListUrl(search, 'username')

  if (search.add) return <AddUser onClose={close} onSaved={saved} />
  if (search.edit) return <EditUser key={search.edit} id={search.edit} onClose={close} onSaved={saved} />
  return <UserList {...list} username={search.username} />
}
