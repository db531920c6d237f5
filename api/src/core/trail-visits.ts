import { hash } from 'node:crypto'
import { MAX_SHOWN_PLATES } from '@rogatka/contract/looks.ts'
import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import type { Connection, Pool } from './database.ts'
import { createGroupCommit } from './group-commit.ts'
import {
  isExemptFromTrail,
  type LiveList,
  type Look,
  type LookSource,
  type ShownPlates,
  sessionKeyAt,
  sessionOf,
  type Viewer,
} from './look.ts'
import { decrypt, encrypt } from './secrets.ts'
import type { Session } from './sessions.ts'
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
  retireVisitsOfSession,
  type SeenVisit,
  type TrailRow,
  updateTrailVisits,
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

type Visit = {
  /** `key` of the session. */
  session: string
  seenAt: Date
  opened: Promise<unknown>
  /** Of its line; null: it is not written yet. Another process may have opened another visit with the same key since. */
  id: number | null
  /** When the purpose that its line has ends; null: it has none. */
  purposeUntil: Date | null
  isChanged: boolean
  shown: Set<string> | null
}

type OpenedVisit = Pick<Visit, 'id' | 'purposeUntil'>

/** Vehicles of stations that match the filters and that the live list has shown in [from, to]. */
export type LivePlates = (
  locationIds: readonly number[],
  filters: VehicleFilters,
  range: { from: Date; to: Date },
) => Promise<{ results: number; shown: ShownPlates }>

type Deps = {
  db: Pool
  now: () => Date
  databaseNow: () => Promise<Date>
  key: () => Promise<Buffer>
  /** Lines are written on a connection of their own. */
  connection: () => Promise<Connection>
  createRow: (source: LookSource, look: Look, at: Date) => Promise<TrailRow>
  /** @throws 503 if the write fails or takes too long */
  waitForWrite: (write: Promise<unknown>) => Promise<void>
  /** An answer of a live list is about to be sent. */
  watch: (viewer: Viewer, visitKey: string, list: LiveList, at: Date) => void
}

/** Groups repeated responses to one query of a session into one line of the access trail, a visit. */
export function createTrailVisits({ db, now, databaseNow, key, connection, createRow, waitForWrite, watch }: Deps) {
  /** Visits whose polls this process has seen, by key. */
  const visits = new Map<string, Visit>()
  /** Those that are over for this process and whose last polls are not written yet, with their keys. */
  const ended = new Map<Visit, string>()

  function endVisit(visitKey: string, visit: Visit): void {
    if (visits.get(visitKey) === visit) visits.delete(visitKey)
    if (visit.isChanged) ended.set(visit, visitKey)
  }

  /** How far the clock of the database is ahead of that of this process, as last measured. */
  let aheadMs = 0
  const databaseTime = (at: Date) => new Date(at.getTime() + aheadMs)
  async function measureClock(): Promise<void> {
    const ofDatabase = await databaseNow()
    aheadMs = ofDatabase.getTime() - now().getTime()
  }

  /**
   * Writes a line for the first answer of a visit before it is sent, and keeps in memory what later ones show. A visit
   * ends after a minute without answers; that of a device, a system or a webhook, which may not end, is divided by hours.
   * A line has one role and one purpose: another role is another visit, and so is what follows after the end of the
   * purpose.
   * @throws 503
   */
  async function recordVisit(source: LookSource, look: Look): Promise<void> {
    if (isExemptFromTrail(source, look)) return
    // Before the visit is read, which may end meanwhile.
    const macs = shownMacs(await key(), look.shown)
    const at = now()
    const { session, ip } = source
    const { kind, criteria, asked, vehicle } = look
    const question = JSON.stringify([sessionKeyAt(session, at), session.roleId, ip, kind, criteria, asked, vehicle])
    const visitKey = hash('sha256', question, 'hex')
    let current = visits.get(visitKey)
    if (!current || hasEnded(current, at)) {
      // One that was only idle here may go on in another process.
      const openedBefore = current && isPurposeOver(current, at) ? current.purposeUntil : null
      if (current) endVisit(visitKey, current)
      const opened = createRow(source, look, at).then((row) => open(visitKey, row, openedBefore, look.live))
      const opening: Visit = {
        session: session.key,
        seenAt: at,
        opened,
        id: null,
        purposeUntil: null,
        isChanged: false,
        shown: new Set(),
      }
      current = opening
      visits.set(visitKey, opening)
      opened.then(
        ({ id, purposeUntil }) => {
          opening.id = id
          opening.purposeUntil = purposeUntil
        },
        () => {
          if (visits.get(visitKey) === opening) visits.delete(visitKey)
          ended.delete(opening)
        },
      )
    }
    current.seenAt = at
    current.isChanged = true
    addShown(current, macs)
    await waitForWrite(current.opened)
    if (look.live) watch(session, visitKey, look.live, at)
  }

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

  /** `openedBefore`: the end of the purpose of the visit before, which is not continued; null: it had none. */
  async function open(
    visitKey: string,
    row: TrailRow,
    openedBefore: Date | null,
    live: Look['live'],
  ): Promise<OpenedVisit> {
    const filters = live ? encrypt(await key(), JSON.stringify(live.filters), FILTERS) : null
    const seenAt = databaseTime(new Date(row.at))
    const locationIds = live?.locationIds ?? null
    return commitVisit({ key: visitKey, row, seenAt, locationIds, filters, openedBefore })
  }

  /**
   * Ends the visits of a session, whose purpose has changed: their next answer writes a line. Other processes notice
   * when they next write its polls.
   */
  async function divideVisits(session: Session): Promise<void> {
    // First of all: what is shown from now on belongs to the next visit.
    const opened = endVisitsOf(session)
    await Promise.allSettled(opened)
    await sync()
    await retireVisitsOfSession(db, sessionOf(session))
    // Answers meanwhile may have continued a visit that is retired by now.
    endVisitsOf(session)
  }

  function endVisitsOf(session: Session): Promise<unknown>[] {
    const own = [...visits].filter(([, visit]) => visit.session === session.key)
    for (const [visitKey, visit] of own) endVisit(visitKey, visit)
    return own.map(([, { opened }]) => opened)
  }

  /**
   * Writes the polls of visits since the last call, and forgets those that have ended: also those that another process
   * has closed or replaced meanwhile, so that their next answer writes a line.
   */
  async function sync(): Promise<void> {
    const at = now().getTime()
    for (const [visitKey, visit] of visits)
      if (at - visit.seenAt.getTime() >= VISIT_TIMEOUT_MS && !(visit.isChanged && visit.id !== null))
        visits.delete(visitKey)
    // One after the other: a visit may be continued with the id of one that has ended.
    await writePolls([...ended].map(([visit, visitKey]) => [visitKey, visit]))
    await writePolls([...visits])
  }

  async function writePolls(seen: readonly [string, Visit][]): Promise<void> {
    const changed = seen.flatMap(([key, visit]) =>
      visit.isChanged && visit.id !== null ? [{ key, visit, id: visit.id }] : [],
    )
    if (changed.length === 0) return
    for (const { visit } of changed) visit.isChanged = false
    try {
      await measureClock()
      const polls = changed.map(({ key, id, visit: { seenAt, shown } }): SeenVisit => {
        return { key, id, seenAt: databaseTime(seenAt), shown: shown && [...shown] }
      })
      const open = await updateTrailVisits(db, polls, MAX_SHOWN_PLATES)
      for (const { key, visit, id } of changed) {
        if (!visit.isChanged) ended.delete(visit)
        if (!open.has(id)) endVisit(key, visit)
      }
    } catch (error) {
      for (const { visit } of changed) visit.isChanged = true
      throw error
    }
  }

  /**
   * Closes the visits that no process has seen polled for a while, with what they have shown; that of the live list is
   * counted by `platesOfLive`.
   */
  async function closeIdle(platesOfLive: LivePlates): Promise<void> {
    await sync()
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
    for (const visit of idle) await closeTrailVisit(db, visit, await findVisitSum(visit, platesOfLive))
  }

  async function findVisitSum(visit: IdleVisit, platesOfLive: LivePlates): Promise<VisitSum> {
    const { at, seenAt, locationIds, filters, shown } = visit
    // A lower bound: above this limit the plates are not kept.
    const count = shown?.length ?? MAX_SHOWN_PLATES
    if (locationIds === null) return { results: count, plates: count, shown }
    // If the key has changed, the filters are unreadable: all vehicles of the stations count.
    const text = (filters && decrypt(await key(), filters, FILTERS)) ?? '{}'
    const { results, shown: live } = await platesOfLive(locationIds, JSON.parse(text), { from: at, to: seenAt })
    return { results, plates: live.count, shown: buffersOf(shownMacs(await key(), live)) }
  }

  return { recordVisit, divideVisits, closeIdle, sync, measureClock, databaseTime }
}

const hasEnded = (visit: Visit, at: Date): boolean =>
  Math.abs(at.getTime() - visit.seenAt.getTime()) >= VISIT_TIMEOUT_MS || isPurposeOver(visit, at)

const isPurposeOver = ({ purposeUntil }: Visit, at: Date): boolean => purposeUntil !== null && at >= purposeUntil

function addShown(visit: Visit, macs: readonly string[] | null): void {
  if (macs === null) visit.shown = null
  if (macs === null || !visit.shown) return
  for (const mac of macs) visit.shown.add(mac)
  if (visit.shown.size > MAX_SHOWN_PLATES) visit.shown = null
}
