import { createHmac, hash, randomBytes } from 'node:crypto'
import type { Endpoint } from '@rogatka/contract/endpoint.ts'
import { type LookKind, lookKinds, MAX_SHOWN_PLATES } from '@rogatka/contract/looks.ts'
import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { identityForm } from '@rogatka/domain/offenders/identity.ts'
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isAnonymised } from './anonymity.ts'
import { type Connection, type Database, type Pool, SESSION_TIMEOUT_MS } from './database.ts'
import { createGroupCommit } from './group-commit.ts'
import {
  countPartitionsBefore,
  daysBetween,
  ensurePartitions,
  intervalAt,
  listPartitions,
  REMOVAL_LIMITS,
  withShortLock,
} from './partitions.ts'
import { type PassageKey, vehicleKey } from './passage.ts'
import { Refusal } from './refusal.ts'
import { runEach } from './run-each.ts'
import { decrypt, encrypt } from './secrets.ts'
import type { Session } from './sessions.ts'
import { storable } from './text.ts'
import { withDatabaseTimeout } from './timeout.ts'
import {
  closeTrailVisit,
  createTrailPartition,
  dropTrailPartition,
  findIdleTrailVisits,
  findOpenLiveVisits,
  findOrCreateTrailKey,
  type IdleVisit,
  insertTrailRows,
  type NewVisit,
  openTrailVisits,
  purposeEnds,
  retireTrailVisits,
  retireVisitsOfSession,
  type SeenVisit,
  TRAIL_DAYS,
  TRAIL_TABLES,
  type TrailRow,
  updateTrailVisits,
  type VisitSum,
} from './trail-queries.ts'

/** A visit has ended this long after its last poll. */
const VISIT_TIMEOUT_MS = 60_000
/** Polls are written at this interval. */
const SYNC_INTERVAL_MS = 15_000
/** Lines written together. */
const MAX_GROUP = 100
/** Idle visits closed by a run of the job at most. */
const MAX_CLOSED = 1_000
const MAC_BYTES = 16
/** Sessions, and vehicles of each, whose images belong to a line: after an eviction the next image gets a line of its own. */
const MAX_SESSIONS = 2_000
const MAX_VEHICLES = 2_000
/** Live lists in other processes are read again after this time. */
const LIVE_LISTS_TTL_MS = 30_000
/** Encrypted with the key of the trail. */
export const ASKED = 'asked'
const FILTERS = 'filters'

/** Vehicles whose plate an answer shows. `plates`: each once, as read; null: too many to be kept one by one. */
export type Shown = { count: number; plates: readonly string[] | null }

/** What an answer shows, and what was asked. */
export type Look = {
  kind: LookKind
  /** Filters without plates; undefined ones are left out. */
  criteria?: Readonly<Record<string, unknown>>
  /** Plates and patterns of plates that were asked for. */
  asked?: readonly string[]
  /** Found in all, of which the answer may be a part. */
  results: number
  shown: Shown
  /** The one vehicle that is shown. */
  vehicle?: VehicleRef
  /** Vehicles whose images are shown with the answer, by their addresses. */
  withImagesOf?: readonly VehicleRef[]
  /** A visit to the live list of these stations: vehicles that match the filters are counted at its end. */
  live?: LiveList
}

/** Stations and filters of a live list. */
type LiveList = { locationIds: readonly number[]; filters: VehicleFilters }

type VehicleRef = Pick<PassageKey, 'id' | 'createdAt'>

/** What is shown of vehicles with these plates as read; null and empty: none was read. */
export function shownOf(plates: Iterable<string | null | undefined>): Shown {
  const unique = new Set<string>()
  let count = 0
  for (const plate of plates) {
    if (!plate) continue
    count += 1
    unique.add(plate)
  }
  return { count, plates: unique.size > MAX_SHOWN_PLATES ? null : [...unique] }
}

/** Parameters with plates or parts of them. */
const PLATE_PARAMETERS = ['plateLpr', 'plates', 'beginning', 'search']
/** Parameters that say how results are shown, and which of them are known already. */
const DISPLAY_PARAMETER = /^(?:with[A-Z]|order|lastId$|version$|columns?$|token$)/

/** After a plate, with which a country may be given. */
const NATIONALITY = /:[A-Z]{0,3}$/

/** What a request asks for: the plates apart from the other parameters. */
export function questionOf({ params, query }: { params: unknown; query: unknown }): Pick<Look, 'criteria' | 'asked'> {
  const parameters = Object.entries({ ...(query as object), ...(params as object) })
  const isPlate = (name: string) => PLATE_PARAMETERS.includes(name)
  return {
    criteria: Object.fromEntries(parameters.filter(([name]) => !isPlate(name) && !DISPLAY_PARAMETER.test(name))),
    asked: parameters
      .filter(([name]) => isPlate(name))
      .flatMap(([, value]) => value)
      .filter((value) => typeof value === 'string')
      .map((plate) => plate.replace(NATIONALITY, '')),
  }
}

/** Who looks: a session, or the receiver of a webhook. */
export type Viewer = Pick<
  Session,
  'key' | 'tokenHash' | 'userId' | 'username' | 'permissions' | 'roleId' | 'device' | 'system'
> & { webhookId?: number }

/** Who looks, and by which endpoint. */
export type Looker = {
  session: Viewer
  ip: string | null
  endpoint: Pick<Endpoint, 'method' | 'path'>
}

export type Trail = ReturnType<typeof createTrail>

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

/** HMAC-SHA256 of the identity form of a plate, in hexadecimal; null if nothing of it remains in that form. */
export function plateMac(key: Buffer, plate: string): string | null {
  const form = identityForm(plate)
  return form === null ? null : macOf(key, form)
}

/** A pattern has the HMAC of its text, so that it is never taken for a plate. */
const askedMacs = (key: Buffer, asked: readonly string[]): string[] =>
  asked.map((text) => (/[*?]/.test(text) ? null : plateMac(key, text)) ?? macOf(key, text))

/** HMACs by which lines with these plates are found. */
export const questionMacs = (key: Buffer, plates: readonly string[]): Buffer[] =>
  plates.flatMap((plate) => {
    const mac = plateMac(key, plate)
    return mac === null ? [] : [Buffer.from(mac, 'hex')]
  })

const macOf = (key: Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest().toString('hex', 0, MAC_BYTES)

/** The partitions of the trail from the day before to two months ahead of now, so that no answer waits for one. */
export const prepareTrailPartitions = (db: Pool, now: Date): Promise<void> =>
  ensureTrailPartitions(db, daysBetween(new Date(now.getTime() - DAY_MS), new Date(now.getTime() + 62 * DAY_MS)))

const ensureTrailPartitions = (db: Pool, instants: readonly Date[]) =>
  ensurePartitions(db, TRAIL_TABLES, instants, 'month', createTrailPartition)

/** Since when all lines are kept: the start of the month that is `TRAIL_DAYS` ago. */
export const trailKeptSince = (now: Date): Date =>
  intervalAt(new Date(now.getTime() - TRAIL_DAYS * DAY_MS), 'month').from

/**
 * Drops the months whose last line is older than `TRAIL_DAYS`. Returns those that others read for too long, which the next
 * run drops. @throws if the clock of the database says that one has to be kept
 */
export async function dropExpiredTrail(db: Pool, now: Date, limits = REMOVAL_LIMITS): Promise<string[]> {
  const keptSince = trailKeptSince(now)
  const waiting: string[] = []
  const dropMonths = async (table: (typeof TRAIL_TABLES)[number]) => {
    for (const partition of await listPartitions(db, table))
      if (
        partition.to <= keptSince &&
        !(await withShortLock(db, limits, (db) => dropTrailPartition(db, table, partition)))
      )
        waiting.push(partition.name)
  }
  await runEach(TRAIL_TABLES.toReversed().map((table) => () => dropMonths(table)))
  return waiting
}

/** Number of partitions of the trail that should have been dropped a day before `now`. */
export async function countOverdueTrail(db: Database, now: Date): Promise<number> {
  const keptSince = trailKeptSince(new Date(now.getTime() - DAY_MS))
  let count = 0
  for (const table of TRAIL_TABLES) count += await countPartitionsBefore(db, table, keptSince)
  return count
}

/**
 * Writes the access trail. Lines are written on a connection of their own, so that neither a full pool nor a long report
 * delays them.
 */
export function createTrail({
  db,
  trailKey,
  now,
  databaseNow,
  log,
}: {
  db: Pool
  /** Null: the one in the database, which is created when it is first needed. */
  trailKey: Buffer | null
  now: () => Date
  /** The clock of the database, by which visits are idle: clocks of processes may differ. */
  databaseNow: () => Promise<Date>
  log: Pick<FastifyBaseLogger, 'warn'>
}) {
  let connecting: Promise<Connection> | undefined
  /** The connection; opened again after it was lost. */
  const connection = (): Promise<Connection> => {
    connecting ??= db.open().then(
      (opened) => {
        void opened.closed.then(() => {
          connecting = undefined
        })
        return opened
      },
      (error) => {
        connecting = undefined
        throw error
      },
    )
    return connecting
  }

  let loading: Promise<Buffer> | undefined
  /** The key of HMACs. */
  function key(): Promise<Buffer> {
    loading ??= (trailKey ? Promise.resolve(trailKey) : findOrCreateTrailKey(db, randomBytes(32))).catch((error) => {
      loading = undefined
      throw error
    })
    return loading
  }

  const commit = createGroupCommit<TrailRow, void>({
    write: async (rows) => {
      await ensureTrailPartitions(
        db,
        rows.map(({ at }) => new Date(at)),
      )
      await insertTrailRows(await connection(), rows)
      return rows.map(() => undefined)
    },
    sizeOf: () => 1,
    maxSize: MAX_GROUP,
  })

  /**
   * Waits for a write, as long as authentication waits for the database.
   * @throws 503 if it fails or takes too long: the answer must not be sent
   */
  async function written(write: Promise<unknown>): Promise<void> {
    try {
      await withDatabaseTimeout(write, SESSION_TIMEOUT_MS)
    } catch (error) {
      log.warn({ err: error }, 'access trail: a line could not be written, the answer is withheld')
      // A connection that does not answer would hold up all that follow.
      if ((error as { code?: unknown }).code === 'CONNECTION_TIMEOUT')
        void connecting?.then(
          (opened) => opened.close(),
          () => {},
        )
      throw new Refusal('unavailable', 503, null, 5)
    }
  }

  async function rowOf({ session, ip, endpoint }: Looker, look: Look, at: Date): Promise<TrailRow> {
    const { device, system, webhookId } = session
    const secret = await key()
    const asked = look.asked?.filter((plate) => plate !== '') ?? []
    return {
      at: at.toISOString(),
      user_id: device || system || webhookId !== undefined ? null : session.userId,
      system_id: system?.id ?? null,
      device_id: device?.id ?? null,
      user_name: session.username,
      role_id: session.roleId,
      token_hash: session.tokenHash.toString('hex'),
      session: sessionOf(session).toString('hex'),
      ip,
      call: `${endpoint.method} ${endpoint.path}`,
      kind: lookKinds.indexOf(look.kind) + 1,
      criteria: JSON.parse(JSON.stringify(look.criteria ?? {}, toStorable)),
      asked: asked.length > 0 ? askedMacs(secret, asked) : null,
      asked_text: asked.length > 0 ? encrypt(secret, JSON.stringify(asked), ASKED).toString('hex') : null,
      results: look.results,
      plates: look.shown.count,
      shown: shownMacs(secret, look.shown),
      vehicle_key: look.vehicle ? vehicleKey(look.vehicle) : null,
    }
  }

  /** Writes a line for an answer before it is sent; none in an anonymised session, which sees no plate. @throws 503 */
  async function record(looker: Looker, look: Look): Promise<void> {
    if (isEmpty(looker, look)) return
    const at = now()
    await written(rowOf(looker, look, at).then(commit))
    cover(looker.session, look, at)
  }

  /** Vehicles whose images belong to a line of a session. */
  const covered = new LRUCache<string, Set<string>>({ max: MAX_SESSIONS })
  /** Live lists of sessions: those that this process has seen polled, by visit, and when; and those of all processes. */
  const watched = new LRUCache<string, Map<string, LiveList & { polledAt: number }>>({ max: MAX_SESSIONS })
  const liveLists = new LRUCache<string, Promise<LiveList[]>>({ max: MAX_SESSIONS })

  function watch(span: string, visitKey: string, list: LiveList, at: Date): void {
    const lists = watched.get(span) ?? new Map()
    for (const [key, { polledAt }] of lists) if (at.getTime() - polledAt >= VISIT_TIMEOUT_MS) lists.delete(key)
    lists.set(visitKey, { ...list, polledAt: at.getTime() })
    watched.set(span, lists)
  }

  function cover(session: Viewer, { vehicle, withImagesOf = [] }: Look, at: Date): void {
    const span = spanOf(session, at)
    const keys = covered.get(span) ?? new Set()
    if (keys.size > MAX_VEHICLES) keys.clear()
    for (const one of [...(vehicle ? [vehicle] : []), ...withImagesOf]) keys.add(vehicleKey(one))
    covered.set(span, keys)
  }

  /**
   * Whether the images of a vehicle belong to a line that its session has: the answer of this process that gave their
   * address, or a live list that is open in any process and shows the vehicle now. `isLive`: whether it is live, and
   * matches these filters.
   */
  async function covers(
    session: Session,
    vehicle: VehicleRef & { locationId: number },
    isLive: (filters: VehicleFilters) => boolean,
  ): Promise<boolean> {
    const at = now()
    if (covered.get(spanOf(session, at))?.has(vehicleKey(vehicle))) return true
    if (!isLive({})) return false
    const shows = ({ locationIds, filters }: LiveList) => locationIds.includes(vehicle.locationId) && isLive(filters)
    for (const list of watched.get(spanOf(session, at))?.values() ?? [])
      if (at.getTime() - list.polledAt < VISIT_TIMEOUT_MS && shows(list)) return true
    const period = `${session.key} ${Math.floor(at.getTime() / LIVE_LISTS_TTL_MS)}`
    const reading = liveLists.get(period) ?? openLiveLists(session, at)
    liveLists.set(period, reading)
    reading.catch(() => liveLists.delete(period))
    return (await reading).some(shows)
  }

  /** Live lists that a session has open in any process. */
  async function openLiveLists(session: Session, at: Date): Promise<LiveList[]> {
    const since = databaseTime(new Date(at.getTime() - VISIT_TIMEOUT_MS - SYNC_INTERVAL_MS))
    const secret = await key()
    return (await findOpenLiveVisits(db, sessionOf(session), since)).flatMap(({ locationIds, filters }) => {
      // Unreadable if the key has changed: the list covers no image.
      const text = decrypt(secret, filters, FILTERS)
      return text === null ? [] : [{ locationIds, filters: JSON.parse(text) }]
    })
  }

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
  async function visit(looker: Looker, look: Look): Promise<void> {
    if (isEmpty(looker, look)) return
    // Before the visit is read, which may end meanwhile.
    const macs = shownMacs(await key(), look.shown)
    const at = now()
    const { session, ip } = looker
    const { kind, criteria, asked, vehicle } = look
    const question = JSON.stringify([spanOf(session, at), session.roleId, ip, kind, criteria, asked, vehicle])
    const visitKey = hash('sha256', question, 'hex')
    let current = visits.get(visitKey)
    if (!current || hasEnded(current, at)) {
      // One that was only idle here may go on in another process.
      const openedBefore = current && isPurposeOver(current, at) ? current.purposeUntil : null
      if (current) endVisit(visitKey, current)
      const opened = rowOf(looker, look, at).then((row) => open(visitKey, row, openedBefore, look.live))
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
    await written(current.opened)
    if (look.live) watch(spanOf(session, at), visitKey, look.live, at)
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
    for (const visit of idle) await closeTrailVisit(db, visit, await sumOf(visit, platesOfLive))
  }

  async function sumOf(visit: IdleVisit, platesOfLive: LivePlates): Promise<VisitSum> {
    const { at, seenAt, locationIds, filters, shown } = visit
    // A lower bound: above this limit the plates are not kept.
    const count = shown?.length ?? MAX_SHOWN_PLATES
    if (locationIds === null) return { results: count, plates: count, shown }
    // If the key has changed, the filters are unreadable: all vehicles of the stations count.
    const text = (filters && decrypt(await key(), filters, FILTERS)) ?? '{}'
    const { results, shown: live } = await platesOfLive(locationIds, JSON.parse(text), { from: at, to: seenAt })
    return { results, plates: live.count, shown: buffersOf(shownMacs(await key(), live)) }
  }

  function start(): { stop: () => Promise<void> } {
    const warn = (error: unknown) => log.warn({ err: error }, 'access trail: visits not written, trying again')
    void measureClock().catch(() => {})
    const timer = setInterval(() => sync().catch(warn), SYNC_INTERVAL_MS).unref()
    return {
      stop: async () => {
        clearInterval(timer)
        await sync().catch(warn)
        await connecting?.then(
          (opened) => opened.close(),
          () => {},
        )
      },
    }
  }

  return { record, visit, divideVisits, covers, closeIdle, start, key }
}

const hasEnded = (visit: Visit, at: Date): boolean =>
  Math.abs(at.getTime() - visit.seenAt.getTime()) >= VISIT_TIMEOUT_MS || isPurposeOver(visit, at)

const isPurposeOver = ({ purposeUntil }: Visit, at: Date): boolean => purposeUntil !== null && at >= purposeUntil

/** Vehicles of stations that match the filters and that the live list has shown in [from, to]. */
export type LivePlates = (
  locationIds: readonly number[],
  filters: VehicleFilters,
  range: { from: Date; to: Date },
) => Promise<{ results: number; shown: Shown }>

/** Tells sessions apart in the trail, and opens none. */
export const sessionOf = ({ tokenHash }: Pick<Session, 'tokenHash'>): Buffer =>
  hash('sha256', tokenHash, 'buffer').subarray(0, MAC_BYTES)

/** The session of a user; of a device, a system or a webhook, which has no end, an hour of it. */
const spanOf = ({ key, device, system, webhookId }: Viewer, at: Date): string =>
  device || system || webhookId !== undefined ? `${key} ${Math.floor(at.getTime() / HOUR_MS)}` : key

const toStorable = (_: string, value: unknown) => (typeof value === 'string' ? storable(value) : value)

/** Whether an answer shows nothing and nothing was asked for, or the session is anonymised. */
const isEmpty = ({ session }: Looker, { results, asked, live }: Look) =>
  isAnonymised(session) || (results === 0 && !live && !asked?.some((plate) => plate !== ''))

const shownMacs = (key: Buffer, { plates }: Shown): string[] | null =>
  plates && [...new Set(plates.flatMap((plate) => plateMac(key, plate) ?? []))]

const buffersOf = (macs: readonly string[] | null) =>
  macs === null ? null : macs.map((mac) => Buffer.from(mac, 'hex'))

function addShown(visit: Visit, macs: readonly string[] | null): void {
  if (macs === null) visit.shown = null
  if (macs === null || !visit.shown) return
  for (const mac of macs) visit.shown.add(mac)
  if (visit.shown.size > MAX_SHOWN_PLATES) visit.shown = null
}
