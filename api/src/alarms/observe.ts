import type { AlarmKind } from '@rogatka/contract/alarms.ts'
import type { HealthEvidence } from '@rogatka/contract/tickets-health.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import type { Condition } from '@rogatka/domain/alarms/engine.ts'
import type { AlarmSource } from '@rogatka/domain/alarms/kinds.ts'
import { largestExcess, type Stations, vehicleAlarms } from '@rogatka/domain/alarms/vehicles.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { silenceAlarmSince } from '@rogatka/domain/locations/availability.ts'
import { expiringCertificates } from '../certificates/public-api.ts'
import type { Pool } from '../core/database.ts'
import { freeBytes } from '../core/disk.ts'
import { countStuck } from '../core/outbox.ts'
import { vehicleKey } from '../core/passage.ts'
import {
  countAnchorsToCopy,
  countStampsMissingSince,
  delayFault,
  evidenceState,
  sealingDelay,
} from '../evidence/public-api.ts'
import { lanesBelowClass } from '../inspections/public-api.ts'
import { stationSilence } from '../locations/public-api.ts'
import { failuresWithEvidence } from '../tickets/public-api.ts'
import { type SignState, signStates } from '../vms/public-api.ts'
import type { AlarmDetails } from './queries.ts'

/** A cause with the details of its alarm. */
export type Cause = Condition & AlarmDetails

const cause = (kind: AlarmKind, subject: string, about: Partial<AlarmDetails>): Cause => ({
  kind,
  subject,
  locationId: null,
  laneNumber: null,
  signId: null,
  signNumber: null,
  vehicle: null,
  name: null,
  value: null,
  ...about,
})

/** The causes of alarms among the live vehicles. */
export const observeVehicles = (vehicles: Iterable<Vehicle>, stations: Stations, now: Date): Cause[] =>
  [...vehicles].flatMap((vehicle) => {
    const { kinds, endsAt } = vehicleAlarms(vehicle, stations, now)
    const { id, createdAt, plateLpr, nationality, location, lane } = vehicle
    return kinds.map((kind) => ({
      ...cause(kind, vehicleKey(vehicle), {
        locationId: location.id,
        laneNumber: lane.laneNumber,
        vehicle: { id, createdAt, plateLpr, nationality },
        value: kind === 'overload' ? largestExcess(vehicle) : null,
      }),
      endsAt,
    }))
  })

/** Silent stations, by the rule of the overview. Data missing against typical traffic is another check (`observeHealth`). */
async function observeStations(db: Pool, now: Date): Promise<Cause[]> {
  const stations = await stationSilence(db)
  return stations.flatMap((station) => {
    const since = silenceAlarmSince(station, now)
    if (since === null) return []
    const minutes = Math.floor((now.getTime() - since.getTime()) / MINUTE_MS)
    return [cause('station-silent', `${station.id}/0`, { locationId: station.id, value: minutes })]
  })
}

async function observeHealth(db: Pool): Promise<Cause[]> {
  const failures = await failuresWithEvidence(db)
  return failures.flatMap(({ kind, locationId, laneNumber, evidence }) =>
    // `observeStations` has it, by the limit of the station.
    kind === 'station-silent'
      ? []
      : cause(kind, `${locationId}/${laneNumber}`, {
          locationId,
          laneNumber: laneNumber || null,
          value: measuredValue(evidence),
        }),
  )
}

const measuredValue = ({
  sharePercent,
  deviationPercent,
  clockSeconds,
  silentMinutes,
}: HealthEvidence): number | null => sharePercent ?? deviationPercent ?? clockSeconds ?? silentMinutes

const signCauses = ({ id, number, locationId, isAvailable, asOrdered, isOverdue }: SignState): Cause[] => {
  const about = { locationId, signId: id, signNumber: number }
  const kinds: AlarmKind[] = []
  if (isOverdue) kinds.push('sign-not-cleared')
  else if (asOrdered === false) kinds.push('sign-not-ordered')
  if (!isAvailable) kinds.push('sign-silent')
  return kinds.map((kind) => cause(kind, `sign ${id}`, about))
}

const CERTIFICATE_KINDS = {
  ended: 'certificate-ended',
  days7: 'certificate-ending',
  days30: 'certificate-nearing',
  days90: 'certificate-nearing',
} as const

async function observeCertificates(db: Pool, now: Date): Promise<Cause[]> {
  const found = await expiringCertificates(db, now)
  return found.flatMap(({ expiry: { warning, days }, locationId, laneNumber, scale }) =>
    warning
      ? cause(CERTIFICATE_KINDS[warning.level], scale ? `scale ${scale.id}` : `${locationId}/${laneNumber}`, {
          locationId,
          laneNumber,
          name: scale?.name ?? null,
          value: days,
        })
      : [],
  )
}

const MEGABYTE = 1024 ** 2
/** An alarm is due when free space falls below this multiple of the reserve. */
const DISK_RESERVES = 2

async function observeDisk({ dataDir, diskReserve }: DiskConfig): Promise<Cause[]> {
  const free = await freeBytes(dataDir)
  if (free === null || free >= DISK_RESERVES * diskReserve) return []
  return [cause('disk-low', 'disk', { value: Math.floor(free / MEGABYTE) })]
}

/** Age from which an alarm reports that an anchor is not copied, which is tried each five minutes. */
const COPY_ALARM_MS = HOUR_MS

async function observeEvidence(db: Pool, isCopied: boolean, now: Date): Promise<Cause[]> {
  const state = await evidenceState(db, now)
  const isLate = delayFault(await sealingDelay(db, now)) !== null
  const waiting = isCopied ? await countAnchorsToCopy(db, new Date(now.getTime() - COPY_ALARM_MS)) : 0
  return [
    ...(state === 'intact' ? [] : [cause(`evidence-${state}`, 'evidence', {})]),
    ...(isLate ? [cause('sealing-late', 'sealing', {})] : []),
    ...(waiting > 0 ? [cause('anchors-not-copied', 'anchors', { value: waiting })] : []),
  ]
}

async function observeOutbox(db: Pool, now: Date): Promise<Cause[]> {
  const stuck = await countStuck(db, now)
  return stuck > 0 ? [cause('outbox-stuck', 'outbox', { value: stuck })] : []
}

/** Age from which an alarm reports that a time stamp is missing. */
const STAMP_ALARM_MS = DAY_MS

async function observeStamps(db: Pool, now: Date): Promise<Cause[]> {
  const missing = await countStampsMissingSince(db, new Date(now.getTime() - STAMP_ALARM_MS))
  return missing > 0 ? [cause('stamps-missing', 'stamps', { value: missing })] : []
}

type DiskConfig = { dataDir: string; diskReserve: number }
export type ObserverConfig = DiskConfig & { evidenceCopy: object | null }

/** How to observe each source but vehicles, and how often. */
export const observers = (
  db: Pool,
  config: ObserverConfig,
): { source: AlarmSource; everyMs: number; observe: (now: Date) => Promise<Cause[]> }[] => [
  { source: 'stations', everyMs: 5_000, observe: (now) => observeStations(db, now) },
  { source: 'health', everyMs: 5_000, observe: () => observeHealth(db) },
  { source: 'signs', everyMs: 5_000, observe: async (now) => (await signStates(db, now)).flatMap(signCauses) },
  { source: 'certificates', everyMs: MINUTE_MS, observe: (now) => observeCertificates(db, now) },
  { source: 'outbox', everyMs: MINUTE_MS, observe: (now) => observeOutbox(db, now) },
  { source: 'evidence', everyMs: MINUTE_MS, observe: (now) => observeEvidence(db, config.evidenceCopy !== null, now) },
  { source: 'stamps', everyMs: MINUTE_MS, observe: (now) => observeStamps(db, now) },
  { source: 'disk', everyMs: MINUTE_MS, observe: () => observeDisk(config) },
  {
    source: 'accuracy',
    everyMs: HOUR_MS,
    observe: async (now) =>
      (await lanesBelowClass(db, now)).map((lane) =>
        cause('class-not-earned', `${lane.locationId}/${lane.laneNumber}`, lane),
      ),
  },
]
