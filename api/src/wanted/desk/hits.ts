import { locationOf } from '@rogatka/contract/ingest.ts'
import { BLACK } from '@rogatka/contract/options.ts'
import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { type HitReason, hitReasons } from '@rogatka/contract/wanted.ts'
import type { OpenHit } from '@rogatka/contract/wanted-hits.ts'
import { canSeeEntries, canUseList } from '@rogatka/domain/wanted/visibility.ts'
import { plateFor } from '../../core/anonymity.ts'
import type { Database } from '../../core/database.ts'
import { type PassageKey, vehicleKey } from '../../core/passage.ts'
import type { Session } from '../../core/sessions.ts'
import { maskFor } from '../search.ts'
import { type HitRow, hitsOfVehicles, type Person } from './hit-queries.ts'

/** Reads vehicles; a key without one is omitted. */
export type ReadVehicles = (
  db: Database,
  keys: readonly PassageKey[],
  withImages?: boolean,
) => Promise<{ vehicle: Vehicle; receivedAt: Date }[]>

type UserAction = { by: Person; at: Date }
type HitEntry = OpenHit['entries'][number] & { closed: (UserAction & { reason: HitReason | null }) | null }

/** A vehicle on black lists, with all of its entries and what was done about it. */
export type Hit = Omit<OpenHit, 'entries'> & {
  receivedAt: Date
  entries: HitEntry[]
  /** Closed for everybody. */
  closed: UserAction | null
}

type Viewer = Pick<Session, 'userId' | 'permissions'>

export const keyOf = ({ id, createdAt }: { id: number; createdAt: Date }): PassageKey => ({
  id,
  createdAt,
  locationId: locationOf(id),
})

export const userActionOf = (by: Person | null, at: Date | null): UserAction | null => (by && at ? { by, at } : null)

/** Numbers of `false_reason`, from 1. */
export const numberOf = (reason: HitReason): number => hitReasons.indexOf(reason) + 1
export const reasonOf = (number: number | null): HitReason | null => hitReasons[(number ?? 0) - 1] ?? null

function entryOf(row: HitRow): HitEntry {
  const falseMark = row.falseAt && { by: row.falseBy ?? { id: 0, username: '' }, at: row.falseAt }
  return {
    id: row.entryId,
    plateLpr: row.entryPlate,
    description: row.description,
    user: row.owner,
    createdAt: row.entryCreatedAt,
    expiresAt: row.expiresAt,
    closed: falseMark && { ...falseMark, reason: reasonOf(row.falseReason) },
  }
}

/** Joins the hits of vehicles with their data. */
export async function toHits(db: Database, rows: readonly HitRow[], readVehicles: ReadVehicles): Promise<Hit[]> {
  const byVehicle = Map.groupBy(rows, vehicleKey)
  const keys = [...byVehicle.values()].flatMap(([row]) => (row ? [keyOf(row)] : []))
  if (keys.length === 0) return []
  return (await readVehicles(db, keys, false)).flatMap(({ vehicle, receivedAt }) => {
    const found = byVehicle.get(vehicleKey(vehicle)) ?? []
    const [row] = found
    if (!row) return []
    const { id, createdAt, location, speed, ctg8p1, numberOfAxles, checkpointTime } = vehicle
    return [
      {
        id,
        createdAt,
        location: { id: location.id, shortName: location.shortName, direction: location.direction },
        laneNumber: row.laneNumber,
        plateLpr: row.plateLpr,
        nationality: row.nationality,
        speed,
        ctg8p1,
        numberOfAxles,
        checkpointTime,
        receivedAt,
        entries: found.map(entryOf),
        taken: userActionOf(row.takenBy, row.takenAt),
        closed: userActionOf(row.closedBy, row.closedAt),
      },
    ]
  })
}

/** Reads a hit, open or closed; undefined if the vehicle is on no black list. */
export async function findHit(db: Database, key: PassageKey, readVehicles: ReadVehicles): Promise<Hit | undefined> {
  const [hit] = await toHits(db, await hitsOfVehicles(db, [key]), readVehicles)
  return hit
}

/** The entries that a viewer may see. */
export const visibleEntries = (viewer: Viewer, hit: Hit): HitEntry[] =>
  canUseList(viewer.permissions, BLACK) ? hit.entries.filter(({ user }) => canSeeEntries(viewer, user.id)) : []

/** How a hit was closed for somebody who sees these entries; null while it is open. */
export function closingOf(hit: Hit, entries: readonly HitEntry[]) {
  if (hit.closed) return { ...hit.closed, reason: null }
  const closings = entries.map(({ closed }) => closed)
  return closings.every((closed) => closed !== null) ? (closings[0] ?? null) : null
}

/** A hit as shown to a session, with these of its entries. */
export function showHit(session: Session, hit: Hit, entries: readonly HitEntry[]): OpenHit {
  const { receivedAt: _, closed: __, ...shown } = hit
  return {
    ...shown,
    plateLpr: plateFor(session, hit.plateLpr),
    entries: entries.map(({ closed: _, ...entry }) => maskFor(session, entry)),
  }
}
