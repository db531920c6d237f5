import { type Expiry, expiryOf } from '@rogatka/domain/certificates/warnings.ts'
import type { Database } from '../core/database.ts'
import { locations } from '../locations/public-api.ts'
import { selectCertificates } from './queries.ts'
import { listScales, scaleLanes } from './scales.ts'

/** What a certificate is of: a WIM lane, or a static scale by name. */
export type ExpiringCertificate = { expiry: Expiry } & (
  | { locationId: number; laneNumber: number; scale: null }
  | { locationId: null; laneNumber: null; scale: { id: number; name: string } }
)

/** WIM lanes with a scale, and static scales, whose certificates have ended or end soon. */
export async function expiringCertificates(db: Database, now: Date): Promise<ExpiringCertificate[]> {
  const byLane = Map.groupBy(await selectCertificates(db), ({ lane }) => lane.id)
  const stations = new Map((await locations(db)).map((location) => [location.id, scaleLanes(location)]))
  const lanes = [...byLane.values()].flatMap((certificates): ExpiringCertificate[] => {
    const [first] = certificates
    if (!first || !stations.get(first.location.id)?.has(first.lane.laneNumber)) return []
    const expiry = expiryOf(certificates, now)
    return [{ locationId: first.location.id, laneNumber: first.lane.laneNumber, scale: null, expiry }]
  })
  const scales = (await listScales(db, now)).map(({ id, name, certificates }): ExpiringCertificate => {
    return { locationId: null, laneNumber: null, scale: { id, name }, expiry: expiryOf(certificates, now) }
  })
  return [...lanes, ...scales].filter(({ expiry }) => expiry.warning !== null)
}
