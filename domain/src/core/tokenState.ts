import { DAY_MS } from './time.ts'
import { dateOf, fromWarsaw } from './warsaw.ts'

/** The instant at which the last day of a token ends in Warsaw; null without one. */
export const endOf = (validUntil: string | null): number | null =>
  validUntil === null ? null : fromWarsaw(Date.parse(`${validUntil}T00:00:00Z`) + DAY_MS)

/** State of a token that has no session; `ended`: its last day has passed. */
export function tokenState(
  { validUntil, revokedAt }: { validUntil: string | null; revokedAt: Date | null },
  now: Date,
): 'active' | 'ended' | 'revoked' {
  if (revokedAt) return 'revoked'
  return validUntil !== null && validUntil < dateOf(now) ? 'ended' : 'active'
}
