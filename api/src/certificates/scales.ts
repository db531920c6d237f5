import type { Scale, ScaleCertificate } from '@rogatka/contract/certificates.ts'
import type { Location } from '@rogatka/contract/locations.ts'
import { certificateForWeighing, nextCertificate } from '@rogatka/domain/certificates/validity.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import type { Database } from '../core/database.ts'
import {
  type CertificateOfScale,
  lockScaleRow,
  markScaleUsed,
  type ScaleRow,
  scaleCertificates,
  selectScales,
} from './queries.ts'

type CertificateFields = Pick<Scale, 'certificate' | 'authority' | 'validFrom' | 'validUntil' | 'accuracyPercent'>

/** What a certificate states. */
export const certificateFieldsOf = ({
  certificate,
  authority,
  validFrom,
  validUntil,
  accuracyPercent,
}: CertificateFields): CertificateFields => ({
  certificate,
  authority,
  validFrom,
  validUntil,
  accuracyPercent,
})

/** Adds whether a certificate was entered after its first day of validity; the first one of a scale is never late. */
const withLateness = ({ scaleId: _, ...one }: CertificateOfScale, index: number, all: readonly unknown[]) => ({
  ...one,
  isEnteredLate: index < all.length - 1 && one.enteredAt !== null && one.validFrom < dateOf(one.enteredAt),
})

function toScale(row: ScaleRow, certificates: readonly ScaleCertificate[], now: Date): Scale {
  const next = nextCertificate(certificates, now)
  const current = certificateForWeighing(certificates, now) as ScaleCertificate
  return {
    ...row,
    ...certificateFieldsOf(current),
    next: next ? certificateFieldsOf(next) : null,
    certificates: [...certificates],
  }
}

/** Scales by name with their certificates, as they are now; one by its id. */
export async function listScales(db: Database, now: Date, id?: number): Promise<Scale[]> {
  const rows = await selectScales(db, id)
  const byScale = Map.groupBy(await scaleCertificates(db, id), ({ scaleId }) => scaleId)
  return rows.map((row) => toScale(row, (byScale.get(row.id) ?? []).map(withLateness), now))
}

/** Locks a scale until the transaction ends; undefined if there is no such scale. */
export async function lockScale(db: Database, id: number, now: Date): Promise<Scale | undefined> {
  await lockScaleRow(db, id)
  return (await listScales(db, now, id))[0]
}

/**
 * Locks a scale that weighed at an instant, and records its use. Returns it with the certificate in force at that instant;
 * undefined if there is no such scale.
 */
export async function takeScale(db: Database, id: number, { at, now }: { at: Date; now: Date }) {
  const scale = await lockScale(db, id, now)
  if (!scale) return undefined
  const { certificates } = scale
  const inForce = certificateForWeighing(certificates, at) as ScaleCertificate
  // The earlier ones are recorded as used.
  if (inForce === certificates[0]) await markScaleUsed(db, id, now)
  return { id: scale.id, name: scale.name, kind: scale.kind, ...certificateFieldsOf(inForce) }
}

/** Numbers of the lanes of a station with a WIM scale: those with an accuracy class. */
export const scaleLanes = ({ lanes }: Pick<Location, 'lanes'>): Set<number> =>
  new Set(lanes.filter(({ accuracyClass }) => accuracyClass !== null).map(({ laneNumber }) => laneNumber))
