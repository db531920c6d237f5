import { MAX_SHOWN_PLATES } from '@rogatka/contract/looks.ts'
import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import type { Connection, Pool } from './database.ts'
import { createGroupCommit } from './group-commit.ts'
import type { Look, ShownPlates } from './look.ts'
import { decrypt, encrypt } from './secrets.ts'
import { buffersOf, shownMacs } from './trail-macs.ts'
import { ensureTrailPartitions } from './trail-partitions.ts'
import {
  closeTrailVisit,
  findIdleTrailVisits,
  type IdleVisit,
  type NewVisit,
  openTrailVisits,
  purposeEnds,
  retireTrailVisits,
  type TrailRow,
  type VisitSum,
} from './trail-queries.ts'

/** A visit has ended this long after its last poll. */
export const VISIT_TIMEOUT_MS = 60_000
/** Polls are written at this interval. */
export const SYNC_INTERVAL_MS = 15_000
/** Visits opened together. */
const MAX_GROUP = 100
/** Idle visits closed by a run of the job at most. */
const MAX_CLOSED = 1_000
/** Encrypted with the key of the trail. */
export const FILTERS = 'filters'

/** Id of its line, and when the purpose that the line has ends; null: it has none. */
export type OpenedVisit = { id: number; purposeUntil: Date | null }

/** `openedBefore`: the end of the purpose of the visit before, which is not continued; null: it had none. */
export type VisitOpening = { key: string; row: TrailRow; openedBefore: Date | null; live: Look['live'] }

/** Vehicles of stations that match the filters and that the live list has shown in [from, to]. */
export type LivePlates = (
  locationIds: readonly number[],
  filters: VehicleFilters,
  range: { from: Date; to: Date },
) => Promise<{ results: number; shown: ShownPlates }>

type OpenerDeps = {
  db: Pool
  key: () => Promise<Buffer>
  /** Lines are written on a connection of their own. */
  connection: () => Promise<Connection>
  /** An instant of this process by the clock of the database. */
  databaseTime: (at: Date) => Date
}

/**
 * Function that opens visits, several at once in one group: writes the line of the first answer, or continues a visit with
 * this key that is open in any process. The function throws if the database fails.
 */
export function createVisitOpener({ db, key, connection, databaseTime }: OpenerDeps) {
  const commitVisit = createGroupCommit<NewVisit & { openedBefore: Date | null }, OpenedVisit>({
    write: async (opened) => {
      const starts = opened.map(({ key, row, openedBefore }) => ({ key, at: new Date(row.at), openedBefore }))
      await ensureTrailPartitions(
        db,
        starts.map(({ at }) => at),
      )
      const client = await connection()
      await retireTrailVisits(
        client,
        starts.map(({ key, at, openedBefore }) => ({
          key,
          idleSince: databaseTime(new Date(at.getTime() - VISIT_TIMEOUT_MS)),
          openedBefore,
        })),
      )
      const ids = await openTrailVisits(client, opened)
      const ends = await purposeEnds(
        client,
        opened.map(({ row }) => row),
      )
      return opened.map(({ key }, index) => ({ id: ids.get(key) as number, purposeUntil: ends[index] ?? null }))
    },
    sizeOf: () => 1,
    maxSize: MAX_GROUP,
  })

  return async ({ live, ...visit }: VisitOpening): Promise<OpenedVisit> => {
    const filters = live ? encrypt(await key(), JSON.stringify(live.filters), FILTERS) : null
    const seenAt = databaseTime(new Date(visit.row.at))
    return commitVisit({ ...visit, seenAt, locationIds: live?.locationIds ?? null, filters })
  }
}

type ClosingDeps = { db: Pool; key: () => Promise<Buffer>; databaseNow: () => Promise<Date> }

/**
 * Closes the visits that no process has seen polled for a while, with what they have shown; that of the live list is
 * counted by `platesOfLive`. Closes some at a time: the next run closes the others.
 */
export async function closeIdleVisits({ db, key, databaseNow }: ClosingDeps, platesOfLive: LivePlates): Promise<void> {
  const at = await databaseNow()
  const idle = await findIdleTrailVisits(
    db,
    new Date(at.getTime() - VISIT_TIMEOUT_MS - 2 * SYNC_INTERVAL_MS),
    MAX_CLOSED,
  )
  if (idle.length === 0) return
  await ensureTrailPartitions(
    db,
    idle.map((visit) => visit.at),
  )
  for (const visit of idle) await closeTrailVisit(db, visit, await findVisitSum(visit, key, platesOfLive))
}

async function findVisitSum(visit: IdleVisit, key: ClosingDeps['key'], platesOfLive: LivePlates): Promise<VisitSum> {
  const { at, seenAt, locationIds, filters, shown } = visit
  // A lower bound: above this limit the plates are not kept.
  const count = shown?.length ?? MAX_SHOWN_PLATES
  if (locationIds === null) return { results: count, plates: count, shown }
  // If the key has changed, the filters are unreadable: all vehicles of the stations count.
  const text = (filters && decrypt(await key(), filters, FILTERS)) ?? '{}'
  const { results, shown: live } = await platesOfLive(locationIds, JSON.parse(text), { from: at, to: seenAt })
  return { results, plates: live.count, shown: buffersOf(shownMacs(await key(), live)) }
}
