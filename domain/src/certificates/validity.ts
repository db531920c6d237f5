import type { LanePurpose } from '@rogatka/contract/certificates.ts'
import { dateOf } from '../core/warsaw.ts'

/*
 * Certificates of scales (docs/domain.md, Certificates of scales). Days are Polish, `2026-11-30`; both ends are included.
 */

/** Certificate of a lane or of a static scale, of which only the former is revoked. */
export type Validity = { validFrom: string; validUntil: string; revoked?: { at: Date } | null }

/** Certificate of a lane, with the speeds for which it holds, km/h; null without a bound. */
type LaneValidity = Validity & { minSpeed: number | null; maxSpeed: number | null }

/** Whether a certificate was revoked at an instant. */
export const isRevokedAt = ({ revoked }: Validity, at: Date): boolean => revoked != null && revoked.at <= at

/** Whether a certificate holds at an instant: its days contain it, and it has not been revoked by then. */
export function isValidAt(certificate: Validity, at: Date): boolean {
  const day = dateOf(at)
  return certificate.validFrom <= day && day <= certificate.validUntil && !isRevokedAt(certificate, at)
}

/** Sorts the certificate valid from the latest day first; of equal ones the unrevoked, which replaced the other. */
const byPrecedence = (a: Validity, b: Validity): number =>
  a.validFrom === b.validFrom ? Number(!!a.revoked) - Number(!!b.revoked) : a.validFrom > b.validFrom ? -1 : 1

/** The certificate that holds at an instant: of several the one that is valid from the latest day; null without. */
export const certificateAt = <T extends Validity>(certificates: readonly T[], at: Date): T | null =>
  certificates.filter((certificate) => isValidAt(certificate, at)).sort(byPrecedence)[0] ?? null

/**
 * The certificate by which a static scale weighs at an instant: without one that holds, that which ended last, and before
 * the first of them that one.
 */
export function certificateForWeighing<T extends Validity>(certificates: readonly T[], at: Date): T | undefined {
  const day = dateOf(at)
  const ended = certificates.filter(({ validFrom }) => validFrom <= day)
  return (
    certificateAt(certificates, at) ??
    ended.toSorted((a, b) => (a.validUntil > b.validUntil ? -1 : 1))[0] ??
    certificates.toSorted(byPrecedence).at(-1)
  )
}

/** The certificate whose first day comes next after an instant; undefined without. */
export function nextCertificate<T extends Validity>(certificates: readonly T[], at: Date): T | undefined {
  const day = dateOf(at)
  return certificates
    .filter(({ validFrom }) => validFrom > day)
    .toSorted(byPrecedence)
    .at(-1)
}

/** Whether a certificate covers a speed; 0 was not measured. */
function coversSpeed({ minSpeed, maxSpeed }: LaneValidity, speed: number | null): boolean {
  if (minSpeed === null && maxSpeed === null) return true
  const measured = speed ?? 0
  return measured > 0 && measured >= (minSpeed ?? 0) && measured <= (maxSpeed ?? Infinity)
}

/**
 * Heading of an evidence sheet. `certified` names the certificate; `uncertified` states on each page that the measurement
 * is no evidence, and is not signed; `preselection` states that it is no basis of a fine, and is signed as a record.
 */
export type SheetHeading<T> =
  | { kind: 'certified'; certificate: T; signed: true }
  | { kind: 'uncertified'; signed: false }
  | { kind: 'preselection'; signed: true }

/** Heading by the certificates at the moment of the detection. */
export function sheetHeading<T extends LaneValidity>(
  purpose: LanePurpose,
  certificates: readonly T[],
  detection: { createdAt: Date; speed: number | null },
): SheetHeading<T> {
  if (purpose === 'preselection') return { kind: 'preselection', signed: true }
  const certificate = purpose === 'enforcement' ? certificateAt(certificates, detection.createdAt) : null
  return certificate && coversSpeed(certificate, detection.speed)
    ? { kind: 'certified', certificate, signed: true }
    : { kind: 'uncertified', signed: false }
}
