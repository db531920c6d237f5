import { administratorPermissions, equivalentOf, hasRight } from '@rogatka/contract/access.ts'
import type { ErrorCode } from '@rogatka/contract/errors.ts'

/** A restriction instead of a right: plates are masked and images blurred. */
const isRestriction = (permission: string) => hasRight([permission], 'Anonymization')

const restricted = (permissions: readonly string[]) => permissions.some(isRestriction)

/** Whether the permissions include this one or an equivalent. */
const holds = (permissions: readonly string[], permission: string): boolean =>
  permissions.some((other) => equivalentOf(other) === equivalentOf(permission))

/**
 * Error code if a user with `own` permissions may not change `before` to `after`: permissions of a role, or of a user's
 * new role. Null if allowed. Empty `before`: new.
 */
export const grantError = (
  own: readonly string[],
  before: readonly string[],
  after: readonly string[],
): ErrorCode | null => {
  const touchesAdministrator = hasRight(before, 'UsersAdmin') || hasRight(after, 'UsersAdmin')
  if (touchesAdministrator && !hasRight(own, 'UsersAdmin')) return 'administrator-needed'
  if (restricted(own) && !restricted(after)) return 'anonymization-stays'
  const gained = after.filter((permission) => !holds(before, permission) && !isRestriction(permission))
  return gained.every((permission) => holds(own, permission)) ? null : 'right-not-held'
}

/**
 * Whether a user with `own` permissions may change or delete one with `theirs`. Whoever can change a password or e-mail
 * address can sign in as that user, so this must not give the caller more: neither a right, nor freedom from their own
 * anonymisation.
 */
export const canManage = (own: readonly string[], theirs: readonly string[]): boolean =>
  theirs.every((permission) => isRestriction(permission) || holds(own, permission)) &&
  (!restricted(own) || restricted(theirs))

/** Error code if `canManage` is false; null if true. */
export const manageError = (own: readonly string[], theirs: readonly string[]): ErrorCode | null => {
  if (canManage(own, theirs)) return null
  return hasRight(theirs, 'UsersAdmin') && !hasRight(own, 'UsersAdmin')
    ? 'administrator-needed'
    : 'account-has-more-rights'
}

/**
 * Error code if a user with `own` permissions may not change a role from `before` to `after`; null if allowed. Revoking
 * a right, restricting or renaming (`isRenamed`) a role affects all its users: that needs every right of the role.
 */
export const roleChangeError = (
  own: readonly string[],
  before: readonly string[],
  after: readonly string[],
  isRenamed: boolean,
): ErrorCode | null => {
  const error = grantError(own, before, after)
  if (error) return error
  const weakens =
    before.some((permission) => !isRestriction(permission) && !holds(after, permission)) ||
    (restricted(after) && !restricted(before))
  return (weakens || isRenamed) && !canManage(own, before) ? 'role-has-more-rights' : null
}

/** Error code if a user with `own` permissions may not delete a role; null if allowed. */
export const roleDeletionError = (own: readonly string[], permissions: readonly string[]): ErrorCode | null => {
  if (canManage(own, permissions)) return null
  return hasRight(permissions, 'UsersAdmin') && !hasRight(own, 'UsersAdmin')
    ? 'administrator-needed'
    : 'role-has-more-rights'
}

/** Whether the permissions suffice for the administrator role, needed to recover a portal. */
export const fitsAdministratorRole = (permissions: readonly string[]): boolean =>
  !restricted(permissions) && administratorPermissions.every((permission) => permissions.includes(permission))

/** Permissions without duplicates, by number. */
export const sortPermissions = (permissions: readonly string[]): string[] =>
  [...new Set(permissions)].sort((a, b) => Number(a.slice(5)) - Number(b.slice(5)))
