import { hasRight, permissionOf } from '@rogatka/contract/access.ts'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import type { SystemRight } from '@rogatka/contract/systems.ts'

/** What a system may read, as far as it needs rights. */
type SystemContent = { rights: readonly SystemRight[]; plates: boolean }

/** Permissions by which requests of a system are answered. */
export const systemPermissions = ({ rights, plates }: SystemContent): string[] =>
  [...rights, ...(plates ? [] : (['Anonymization'] as const))].map(permissionOf)

/** Whether a user with `own` permissions may read all that a system reads, and therefore may create, change and renew it. */
export const canManageSystem = (own: readonly string[], readable: SystemContent): boolean =>
  systemError(own, readable) === null

/** Error code if a user with `own` permissions may not have a system that reads this; null if allowed. */
export function systemError(own: readonly string[], { rights, plates }: SystemContent): ErrorCode | null {
  if (plates && hasRight(own, 'Anonymization')) return 'anonymization-stays'
  return rights.every((right) => hasRight(own, right)) ? null : 'right-not-held'
}
