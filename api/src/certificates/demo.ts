import type { LanePurpose, Scale } from '@rogatka/contract/certificates.ts'
import { laneId } from '@rogatka/contract/options.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { dateOf } from '@rogatka/domain/core/warsaw.ts'
import type { Database } from '../core/database.ts'
import { insertCertificate, insertScale, selectCertificates, setRevoked, upsertPurpose } from './queries.ts'
import { listScales } from './scales.ts'

/** Days from now of the first and last day of validity. */
type Validity = { from: number; until: number }

/* In the order in which the officers know them: one is valid for long, one ends soon, one has ended. */
const SCALES: (Pick<Scale, 'name' | 'certificate' | 'authority' | 'accuracyPercent' | 'kind'> & Validity)[] = [
  {
    name: 'Waga platformowa przewoźna 1',
    certificate: 'OUM-WA/214/2026',
    authority: 'Okręgowy Urząd Miar, Warszawa',
    accuracyPercent: 1,
    kind: 'platform',
    from: -210,
    until: 520,
  },
  {
    name: 'Wagi kołowe przenośne 2',
    certificate: 'OUM-WA/88/2025',
    authority: 'Okręgowy Urząd Miar, Warszawa',
    accuracyPercent: 3,
    kind: 'pads',
    from: -343,
    until: 22,
  },
  {
    name: 'Waga osiowa przewoźna 3',
    certificate: 'OUM-BI/31/2025',
    authority: 'Okręgowy Urząd Miar, Białystok',
    accuracyPercent: 2,
    kind: 'axle',
    from: -370,
    until: -5,
  },
]

/** Purposes that are not the default, and certificates, by station and lane. */
const LANES: {
  location: number
  lane: number
  purpose?: LanePurpose
  certificate?: { number: string; kind: string; revoked?: string } & Validity
}[] = [
  { location: 1, lane: 1, certificate: { number: 'WIM/1/1/2026', kind: 'calibration', from: -150, until: 215 } },
  { location: 1, lane: 2, certificate: { number: 'WIM/1/2/2026', kind: 'calibration', from: -150, until: 215 } },
  { location: 1, lane: 3, purpose: 'statistics' },
  { location: 1, lane: 4, purpose: 'statistics' },
  { location: 3, lane: 1, certificate: { number: 'WIM/3/1/2025', kind: 'calibration', from: -405, until: -40 } },
  { location: 3, lane: 1, certificate: { number: 'WIM/3/1/2026', kind: 'calibration', from: -38, until: 327 } },
  {
    location: 4,
    lane: 1,
    purpose: 'enforcement',
    certificate: { number: 'PL-WIM 17/2026', kind: 'initial', from: -120, until: 610 },
  },
  {
    location: 5,
    lane: 1,
    purpose: 'enforcement',
    certificate: { number: 'PL-WIM 4/2024', kind: 'subsequent', from: -711, until: 19 },
  },
  { location: 5, lane: 4, purpose: 'statistics' },
  {
    location: 6,
    lane: 1,
    certificate: {
      number: 'WIM/6/1/2026',
      kind: 'calibration',
      from: -95,
      until: 270,
      revoked: 'Wymiana czujnika pasa 1 po frezowaniu',
    },
  },
]

const LANE_AUTHORITY = 'Główny Urząd Miar'
/** Days since the revoked certificate was revoked. */
const REVOKED_DAYS_AGO = 30

/** Inserts the scales, purposes and certificates of the demo unless there are any; returns its scales. */
export async function insertDemoCertificates(db: Database, now: Date): Promise<Scale[]> {
  const daysFromNow = (days: number) => new Date(now.getTime() + days * DAY_MS)
  const validity = ({ from, until }: Validity) => ({
    validFrom: dateOf(daysFromNow(from)),
    validUntil: dateOf(daysFromNow(until)),
  })
  if ((await listScales(db, now)).length === 0)
    for (const scale of SCALES) await insertScale(db, { ...scale, ...validity(scale) }, now)
  if ((await selectCertificates(db)).length === 0)
    for (const { location, lane, purpose, certificate } of LANES) {
      if (purpose) await upsertPurpose(db, laneId(location, lane), purpose)
      if (!certificate) continue
      const { number, kind, revoked } = certificate
      const values = { number, kind, authority: LANE_AUTHORITY, ...validity(certificate) }
      const id = await insertCertificate(db, laneId(location, lane), values)
      if (revoked) await setRevoked(db, id, 'admin', revoked, daysFromNow(-REVOKED_DAYS_AGO))
    }
  const scales = await listScales(db, now)
  return SCALES.flatMap(({ certificate }) => scales.find((scale) => scale.certificate === certificate) ?? [])
}
