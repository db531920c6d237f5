import { hasRight } from '@rogatka/contract/access.ts'
import type { ErrorCode } from '@rogatka/contract/errors.ts'

/** Anonymization takes away instead of giving: its holder sees masked plates and blurred pictures. */
const isRestriction = (permission: string) => hasRight([permission], 'Anonymization')

const restricted = (permissions: readonly string[]) => permissions.some(isRestriction)

/**
 * Why somebody with `own` permissions may not turn `before` into `after`: the permissions of a role, or those of
 * the role that a user gets. Null when they may. Nothing before: it is new.
 */
export const grantFault = (
  own: readonly string[],
  before: readonly string[],
  after: readonly string[],
): ErrorCode | null => {
  const touchesAdministrator = hasRight(before, 'UsersAdmin') || hasRight(after, 'UsersAdmin')
  if (touchesAdministrator && !hasRight(own, 'UsersAdmin')) return 'administrator-needed'
  if (restricted(own) && !restricted(after)) return 'anonymization-stays'
  const gained = after.filter((permission) => !before.includes(permission) && !isRestriction(permission))
  return gained.every((permission) => own.includes(permission)) ? null : 'right-not-held'
}

/** Whether somebody with `own` permissions may change or delete a user who has `theirs`. */
export const mayManage = (own: readonly string[], theirs: readonly string[]): boolean =>
  !hasRight(theirs, 'UsersAdmin') || hasRight(own, 'UsersAdmin')

/** Permissions without repeats, in the order of the number in their names. */
export const sortPermissions = (permissions: readonly string[]): string[] =>
  [...new Set(permissions)].sort((a, b) => Number(a.slice(5)) - Number(b.slice(5)))
