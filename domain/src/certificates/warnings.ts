import { DAY_MS } from '../core/time.ts'
import { dateOf } from '../core/warsaw.ts'
import { certificateAt, isRevokedAt, type Validity } from './validity.ts'

/** Days before the last valid day at which a warning is due, with its priority; `ended` from the first day without a certificate. */
export const warningLevels = [
  { level: 'ended', days: null, priority: 'medium' },
  { level: 'days7', days: 7, priority: 'medium' },
  { level: 'days30', days: 30, priority: 'low' },
  { level: 'days90', days: 90, priority: 'low' },
] as const
export type WarningLevel = (typeof warningLevels)[number]

/** Last day to which the certificates are valid without a gap, from one that holds until `first`. */
const lastValidDay = (certificates: readonly Validity[], now: Date, first: string): string =>
  certificates
    .filter((certificate) => !isRevokedAt(certificate, now))
    .sort((a, b) => (a.validFrom < b.validFrom ? -1 : 1))
    .reduce(
      (last, { validFrom, validUntil }) =>
        Date.parse(validFrom) <= Date.parse(last) + DAY_MS && validUntil > last ? validUntil : last,
      first,
    )

/** Certificates of one lane or scale: the last valid day, the days until it (0: today), and the warning that is due. */
export type Expiry = { lastDay: string | null; days: number | null; warning: WarningLevel | null }

/**
 * Expiry of the certificates of a lane or scale. A certificate that follows without a gap prevents warnings of the one
 * before. A lane or scale that has had none yet gets no warning.
 */
export function expiryOf(certificates: readonly Validity[], now: Date): Expiry {
  const holding = certificateAt(certificates, now)
  const today = dateOf(now)
  if (holding === null) {
    const hasEnded = certificates.some(({ validFrom }) => validFrom <= today)
    return { lastDay: null, days: null, warning: hasEnded ? warningLevels[0] : null }
  }
  const lastDay = lastValidDay(certificates, now, holding.validUntil)
  const days = (Date.parse(lastDay) - Date.parse(today)) / DAY_MS
  return { lastDay, days, warning: warningLevels.find((one) => one.days !== null && days <= one.days) ?? null }
}

/** The day on which the last of the certificates so far ended or was revoked; null if none has. */
export function endedOn(certificates: readonly Validity[], now: Date): string | null {
  const today = dateOf(now)
  const ends = certificates.flatMap(({ validFrom, validUntil, revoked }) => {
    const revokedOn = revoked && revoked.at <= now ? dateOf(revoked.at) : null
    const end = revokedOn !== null && revokedOn < validUntil ? revokedOn : validUntil
    return validFrom <= end && (end < today || end === revokedOn) ? [end] : []
  })
  return ends.sort().at(-1) ?? null
}
