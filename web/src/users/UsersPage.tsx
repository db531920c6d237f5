import { useNavigate, useSearch } from '@tanstack/react-router'
import { AddUser } from './AddUser.tsx'
import { EditUser } from './EditUser.tsx'
import { readUsersSearch, type UsersSearch } from './search.ts'
import { UserList } from './UserList.tsx'

/** The users: their list, or in its place the form of a new or of a chosen one. */
export function UsersPage() {
  const search = readUsersSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const go = (next: UsersSearch, options: { replace?: boolean; ignoreBlocker?: boolean } = {}) =>
    void navigate({ to: '.', search: next, ...options })
  const list = { page: search.page, username: search.username }

  if (search.add) return <AddUser onClose={() => go(list)} onSaved={() => go(list, { ignoreBlocker: true })} />
  if (search.edit)
    return (
      <EditUser
        key={search.edit}
        id={search.edit}
        onClose={() => go(list)}
        onSaved={() => go(list, { ignoreBlocker: true })}
      />
    )
  return (
    <UserList
      page={search.page ?? 1}
      username={search.username}
      onPage={(page) => go({ ...list, page: page === 1 ? undefined : page })}
      onSearch={(username) => go({ username: username || undefined }, { replace: true })}
      onAdd={() => go({ ...list, add: true })}
      onEdit={(edit) => go({ ...list, edit })}
    />
  )
}
