import type { WireUser } from '@rogatka/contract/users.ts'
import { useRight } from '../core/useSelf.ts'
import { useAllRoles } from '../roles/publicApi.ts'
import { useAllUsers } from './useUsers.ts'

type RoleChoice = { id: number; name: string }

const rolesOfUsers = (users: readonly WireUser[]): RoleChoice[] => {
  const roles = new Map(users.flatMap((user) => user.roles).map((role) => [role.id, role]))
  return [...roles.values()].sort((a, b) => a.name.localeCompare(b.name))
}

/** Roles that a user can be given. Users without access to roles are offered those of existing users. */
export function useRoleChoices(): { roles: RoleChoice[] | undefined; error: unknown } {
  const canRead = useRight('UserManagement')
  const all = useAllRoles(canRead)
  const users = useAllUsers(!canRead)
  if (canRead) return { roles: all.data, error: all.error }
  return { roles: users.data && rolesOfUsers(users.data.content), error: users.error }
}
