import { administratorPermissions, equivalentOf, hasRight } from '@rogatka/contract/access.ts'
import type { ErrorCode } from '@rogatka/contract/errors.ts'

/** Anonymization takes away instead of giving: its holder sees masked plates and blurred pictures. */
const isRestriction = (permission: string) => hasRight([permission], 'Anonymization')

const restricted = (permissions: readonly string[]) => permissions.some(isRestriction)

/** Whether `permissions` hold this permission, or one that stands for the same right. */
const holds = (permissions: readonly string[], permission: string): boolean =>
  permissions.some((other) => equivalentOf(other) === equivalentOf(permission))

/**
 * Why somebody with `own` permissions may not turn `before` into `after`: the permissions of a role, or those of
 * the role that a user gets. Null when they may. Nothing before: it is new.
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
 * Whether somebody with `own` permissions may change or delete a user who has `theirs`. Changing a password or an e-mail
 * address means being able to sign in as that user, so it must give nothing that the caller lacks: neither a right, nor
 * freedom from the caller's own restriction to anonymised data.
 */
export const canManage = (own: readonly string[], theirs: readonly string[]): boolean =>
  theirs.every((permission) => isRestriction(permission) || holds(own, permission)) &&
  (!restricted(own) || restricted(theirs))

/** Why `canManage` is false, as an error code; null when it is true. */
export const manageError = (own: readonly string[], theirs: readonly string[]): ErrorCode | null => {
  if (canManage(own, theirs)) return null
  return hasRight(theirs, 'UsersAdmin') && !hasRight(own, 'UsersAdmin')
    ? 'administrator-needed'
    : 'account-has-more-rights'
}

/**
 * Why somebody with `own` permissions may not change a role from `before` to `after`; null when they may. Whoever takes a
 * right away from a role, or restricts it, weakens all its holders, and under another name or description it may be given
 * by mistake (`isRenamed`): that needs every right of the role.
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

/** Why somebody with `own` permissions may not delete a role; null when they may. */
export const roleDeletionError = (own: readonly string[], permissions: readonly string[]): ErrorCode | null => {
  if (canManage(own, permissions)) return null
  return hasRight(permissions, 'UsersAdmin') && !hasRight(own, 'UsersAdmin')
    ? 'administrator-needed'
    : 'role-has-more-rights'
}

/** Whether the permissions are enough for the role of administrators, which is what every portal is recovered with. */
export const fitsAdministratorRole = (permissions: readonly string[]): boolean =>
  !restricted(permissions) && administratorPermissions.every((permission) => permissions.includes(permission))

/** Permissions without repeats, in the order of the number in their names. */
export const sortPermissions = (permissions: readonly string[]): string[] =>
  [...new Set(permissions)].sort((a, b) => Number(a.slice(5)) - Number(b.slice(5)))
