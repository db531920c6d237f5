import { useRight } from '../core/useSelf.ts'
import { UserIcon } from '../ui/icons.tsx'
import { useAllUsers } from '../users/publicApi.ts'
import type { Row } from './rows.ts'

/** The users, for administrators. */
export function useUserRows(): Row[] {
  const isAllowed = useRight('UsersAdmin')
  const { data: users } = useAllUsers(isAllowed)
  if (!isAllowed || !users) return []
  return users.content.map(({ id, username, firstName, lastName, roles }) => {
    const name = [firstName, lastName].filter(Boolean).join(' ')
    return {
      id: `user:${id}`,
      label: [name, username].filter(Boolean).join(', '),
      Icon: UserIcon,
      open: `/users?edit=${id}`,
      ...(roles[0] && { note: roles[0].name }),
    }
  })
}
