import { administratorPermissions, hasRight } from '@rogatka/contract/access.ts'
import type { RequiredFactor } from '@rogatka/contract/options.ts'
import { newRole, type Role } from '@rogatka/contract/roles.ts'
import { ADMINISTRATOR_ROLE } from '@rogatka/contract/users.ts'
import { sortPermissions } from '@rogatka/domain/users/grants.ts'

/** Form values of a role; permissions by name. */
export type RoleValues = { name: string; description: string; permissions: string[]; requiredFactor: RequiredFactor }

export const emptyRole: RoleValues = { name: '', description: '', permissions: [], requiredFactor: 'none' }

export const valuesOf = (role: Role): RoleValues => ({
  name: role.name,
  description: role.description ?? '',
  permissions: sortPermissions(role.permissions.map(({ name }) => name)),
  requiredFactor: role.requiredFactor,
})

/** Request body: trimmed, each permission once. */
export const roleOf = ({ name, description, permissions, requiredFactor }: RoleValues) => ({
  name: name.trim(),
  description: description.trim() || null,
  permissions: sortPermissions(permissions),
  requiredFactor,
})

/** Error codes by field. */
export function roleErrors(values: RoleValues): Record<string, string> {
  const issues = newRole.safeParse(roleOf(values)).error?.issues ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]))
}

const isAnonymised = (permissions: readonly string[]) => hasRight(permissions, 'Anonymization')

/** What a user loses if their role changes from `before` to `after`: permissions, and access to non-anonymised data. */
export const permissionLoss = (before: readonly string[], after: readonly string[]) => ({
  lost: before.filter((permission) => !isAnonymised([permission]) && !after.includes(permission)),
  restricted: isAnonymised(after) && !isAnonymised(before),
})

/** The server rejects revoking these from the administrator role, and restricting it. */
export const isFixed = (roleId: number | undefined, permission: string): boolean =>
  roleId === ADMINISTRATOR_ROLE && (administratorPermissions.includes(permission) || isAnonymised([permission]))
