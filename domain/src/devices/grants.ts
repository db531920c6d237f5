import { hasRight, permissionOf, type Right } from '@rogatka/contract/access.ts'
import type { ErrorCode } from '@rogatka/contract/errors.ts'

/** What a device shows, as far as it needs rights. */
type DeviceContent = { anonymised: boolean; wanted: boolean }

/** Rights of a device. It shows the hits of all users, so it needs the right to the entries of others. */
const rightsOf = ({ wanted }: DeviceContent): Right[] =>
  wanted ? ['CurrentMeasurements', 'BlackList', 'UserManagement'] : ['CurrentMeasurements']

/** Permissions with which requests of a device are authorised. */
export const devicePermissions = (shown: DeviceContent): string[] => {
  const restrictions: Right[] = shown.anonymised ? ['Anonymization'] : []
  return [...rightsOf(shown), ...restrictions].map(permissionOf)
}

/** Whether a user with `own` permissions may see all that a device shows, so may make, change and renew it. */
export const canManageDevice = (own: readonly string[], shown: DeviceContent): boolean =>
  deviceError(own, shown) === null

/** Error code if a user with `own` permissions may not have a device that shows this; null if allowed. */
export function deviceError(own: readonly string[], shown: DeviceContent): ErrorCode | null {
  if (hasRight(own, 'Anonymization') && !shown.anonymised) return 'anonymization-stays'
  const holds = (right: Right) => hasRight(own, right) || (right === 'BlackList' && hasRight(own, 'WantedList'))
  return rightsOf(shown).every(holds) ? null : 'right-not-held'
}
