import type { DeviceState } from '@rogatka/contract/devices.ts'
import { DAY_MS } from '../core/time.ts'
import { dateOf, fromWarsaw } from '../core/warsaw.ts'

/** The instant at which the last day of a device ends in Warsaw; null without one. */
export const endOf = (validUntil: string | null): number | null =>
  validUntil === null ? null : fromWarsaw(Date.parse(`${validUntil}T00:00:00Z`) + DAY_MS)

/** State of a device. */
export function deviceState(
  { validUntil, revokedAt }: { validUntil: string | null; revokedAt: Date | null },
  now: Date,
): DeviceState {
  if (revokedAt) return 'revoked'
  return validUntil !== null && validUntil < dateOf(now) ? 'ended' : 'active'
}
