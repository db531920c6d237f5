import { type ArchiveFilters, MAX_TAGGED, PAGE_SIZE, type search as searchEndpoint } from '@rogatka/contract/archive.ts'
import type { ValueOf } from '@rogatka/contract/endpoint.ts'
import type { ListFlags, Tag, Vehicle } from '@rogatka/contract/vehicle.ts'
import { selectFields } from '@rogatka/domain/vehicle/selectFields.ts'
import { type ListMark, markFor } from '@rogatka/domain/wanted/visibility.ts'
import { anonymiseFor, assertPlateQueryAllowed } from '../core/anonymity.ts'
import { fetchRows, streamFromSnapshot } from '../core/cursor.ts'
import { CLIENT_CHECK_MS, type Database, type Pool, SNAPSHOT, type Transaction } from '../core/database.ts'
import { disconnectError } from '../core/disconnect.ts'
import { Refusal } from '../core/refusal.ts'
import { createUserSemaphore } from '../core/semaphore.ts'
import type { Session } from '../core/sessions.ts'
import { raw, sql } from '../core/statement.ts'
import { placesOfVehicles } from '../locations/queries.ts'
import { axlesByKeys, type PassageKey, tagsBetween, vehiclesByKeys } from '../vehicle/queries.ts'
import { listMarks } from '../wanted/queries.ts'
import { createCounts } from './counts.ts'
import { readSearchState, type SearchState } from './derived/queries.ts'
import { filterOf, sortsOf } from './filter.ts'
import { sum } from './intervals.ts'
import { axlesFrom, fromRow, type ListedRow, type ListVehicle } from './list-vehicle.ts'
import { createPageFinder } from './pages.ts'
import { resolvePlates } from './plates.ts'
import { allKeys, allRows, countOfAll, pageKeys, type SearchSpec } from './queries.ts'

type Query = ValueOf<typeof searchEndpoint, 'query'>
type Caller = Pick<Session, 'userId' | 'permissions'>
type Found = { content: Vehicle[]; totalCount: number }

const NOTHING: Found = { content: [], totalCount: 0 }
/** Rows that a cursor gives at a time. */
const BATCH = 500

/** So long a search waits for its turn, as a query waits for a connection. */
const WAIT_MS = 10_000
/** Searches that wait: in all, and of one user. */
const QUEUE = { queue: 256, queuePerUser: 16 }
/** What one process has worked out, and how many may search at once, for each database. */
const known = new WeakMap<Pool, ReturnType<typeof createKnown>>()

/**
 * Searches leave half of the connections to those who cannot wait: stations, and the live list. One user's take half of
 * that: slow ones never delay those of others.
 */
function createKnown(db: Pool) {
  const total = Math.ceil(db.max / 2)
  const perUser = Math.max(1, Math.floor(total / 2))
  return {
    counts: createCounts(),
    pages: createPageFinder(),
    turns: createUserSemaphore({ total, perUser, waitMs: WAIT_MS, ...QUEUE }),
  }
}

function knownOf(db: Pool) {
  const before = known.get(db) ?? createKnown(db)
  known.set(db, before)
  return before
}

/**
 * All that one answer says, it says of one moment. A user who has many searches under way waits for them. Once `signal`
 * aborts, a search that waits leaves the queue, and one that runs is stopped in the database.
 */
export async function inSnapshot<T>(
  db: Pool,
  { userId }: Pick<Caller, 'userId'>,
  work: (db: Transaction, state: SearchState) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const leave = await knownOf(db).turns.acquire(userId, signal)
  if (leave === null) throw disconnectError()
  if (leave === 'busy') throw new Refusal('unavailable', 503, null, 5)
  try {
    return await db.transaction(async (db) => work(db, await readSearchState(db)), { mode: SNAPSHOT, signal })
  } finally {
    // Until the database has noticed that nobody waits for the statement.
    if (signal?.aborted) setTimeout(leave, CLIENT_CHECK_MS)
    else leave()
  }
}

/** The filter, kept to the time of which there are vehicles, with its plates; undefined: nothing can be found. */
export async function wantedOf(
  db: Database,
  query: ArchiveFilters,
  caller: Caller,
  state: SearchState,
): Promise<SearchSpec | undefined> {
  assertPlateQueryAllowed(caller, query, [query.orderByColumnName1, query.orderByColumnName2, query.orderByColumnName3])
  const asked = filterOf(query, caller.userId)
  const { kept } = state
  const from = asked.from > kept.from ? asked.from : kept.from
  const to = asked.to < kept.to ? asked.to : kept.to
  if (from >= to) return undefined
  const filter = { ...asked, from, to }
  if (!filter.plate) return { filter, plates: null }
  const plates = await resolvePlates(db, filter, state.through)
  return plates && { filter, plates }
}

/** A page of the vehicles that meet the filters, sorted, and how many there are. */
export function search(db: Pool, query: Query, caller: Caller, signal?: AbortSignal): Promise<Found> {
  const { counts, pages } = knownOf(db)
  const work = async (db: Database, state: SearchState) => {
    const wanted = await wantedOf(db, query, caller, state)
    if (!wanted) return NOTHING
    const sorts = sortsOf(query)
    const page = pageOf(query)
    if (wanted.filter.taggedBy !== null) {
      const totalCount = await countOfAll(db, wanted)
      const { from, to } = wanted.filter
      const spans = [{ from: from.getTime(), to: to.getTime() }]
      const keys = totalCount > page.offset ? await pageKeys(db, wanted, { spans }, sorts, page) : []
      return { content: await vehicles(db, keys, query, caller), totalCount }
    }
    const counted = await counts(db, wanted, state)
    const keys = await pages(db, { wanted, sorts, underived: state.underived }, counted, page)
    return { content: await vehicles(db, keys, query, caller), totalCount: sum(counted) }
  }
  return inSnapshot(db, caller, work, signal)
}

/** Tagged vehicles come all at once when no page is asked for. */
function pageOf({ page, limit = PAGE_SIZE, taggedOnly }: Query) {
  if (taggedOnly && page === undefined) return { offset: 0, limit: MAX_TAGGED }
  return { offset: ((page ?? 1) - 1) * limit, limit }
}

/** How many vehicles meet the filters. */
export function countOf(db: Pool, query: ArchiveFilters, caller: Caller, signal?: AbortSignal): Promise<number> {
  const { counts } = knownOf(db)
  const work = async (db: Database, state: SearchState) => {
    const wanted = await wantedOf(db, query, caller, state)
    if (!wanted) return 0
    return wanted.filter.taggedBy === null ? sum(await counts(db, wanted, state)) : countOfAll(db, wanted)
  }
  return inSnapshot(db, caller, work, signal)
}

/**
 * All vehicles that meet the filters, in the order asked for, with what the flags ask for, some hundreds at a time from
 * a cursor: the memory that it takes does not depend on how many there are. It holds a connection until it ends or is
 * left.
 */
export const searchRows = (
  db: Pool,
  query: ArchiveFilters & ListFlags,
  caller: Caller,
): AsyncGenerator<Vehicle[], void> =>
  streamFromSnapshot(db, async function* (db) {
    const wanted = await wantedOf(db, query, caller, await readSearchState(db))
    if (!wanted) return
    for await (const keys of fetchRows<PassageKey>(db, allKeys(wanted, sortsOf(query)), BATCH))
      yield await vehicles(db, keys, query, caller)
  })

/**
 * The same, but of each vehicle only what lists without pictures say of it. While some rows are written the database
 * looks for the next.
 */
export const listedRows = (
  db: Pool,
  query: ArchiveFilters & Pick<ListFlags, 'withAxles' | 'withTags'>,
  caller: Caller,
): AsyncGenerator<ListVehicle[], void> =>
  streamFromSnapshot(db, async function* (db) {
    const wanted = await wantedOf(db, query, caller, await readSearchState(db))
    if (!wanted) return
    const places = new Map((await placesOfVehicles(db)).map((place) => [place.id, place]))
    await db.execute(sql`declare listed no scroll cursor for ${allRows(wanted, sortsOf(query))}`)
    const ask = () => {
      const asked = db.arrays(sql`fetch ${raw(String(BATCH))} from listed`)
      // Whoever waits for it is told; nobody may wait any more.
      asked.catch(() => {})
      return asked
    }
    for (let next = ask(); ; ) {
      const rows = (await next) as unknown as ListedRow[]
      if (rows.length === 0) return
      const found = rows.flatMap((row) => fromRow(row, places) ?? [])
      const details = detailsOf(db, found, query, caller)
      next = ask()
      await details
      yield found.map((vehicle) => anonymiseFor(caller, vehicle))
    }
  })

/** Adds axles with their accuracy class, and tags, where they are asked for; both are asked of the database at once. */
async function detailsOf(db: Database, found: ListVehicle[], { withAxles, withTags }: ListFlags, { userId }: Caller) {
  const keys = found.map(({ id, createdAt, location }) => ({ id, createdAt, locationId: location.id }))
  const [axles, marks] = await Promise.all([
    withAxles ? axlesByKeys(db, keys) : [],
    withTags ? tagsOf(db, keys, userId) : new Map<string, Tag[]>(),
  ])
  for (const [at, vehicle] of found.entries()) {
    if (withAxles) {
      const { axles: list = null, accuracyClass = null } = axles[at] ?? {}
      vehicle.axles = axlesFrom(list)
      vehicle.lane.accuracyClass = accuracyClass === null ? null : { name: accuracyClass }
    }
    if (withTags) vehicle.tags = marks.get(nameOf(vehicle)) ?? []
  }
}

/** The vehicles of these keys, in their order, with what the flags ask for. */
async function vehicles(
  db: Database,
  keys: readonly PassageKey[],
  flags: ListFlags,
  caller: Caller,
): Promise<Vehicle[]> {
  if (keys.length === 0) return []
  // All are asked at once, so that the way to the database is gone only once.
  const [found, tags, marks] = await Promise.all([
    vehiclesByKeys(db, keys, flags.withImages === true || flags.withDataImages === true),
    flags.withTags ? tagsOf(db, keys, caller.userId) : new Map<string, Tag[]>(),
    listMarks(db, keys),
  ])
  const marked = Map.groupBy<string, ListMark & Pick<PassageKey, 'id' | 'createdAt'>>(marks, nameOf)
  const byName = new Map(found.map(({ vehicle }) => [nameOf(vehicle), vehicle]))
  return keys.flatMap((key) => {
    const vehicle = byName.get(nameOf(key))
    if (!vehicle) return []
    const listed = selectFields(anonymiseFor(caller, vehicle), flags, tags.get(nameOf(key)) ?? [])
    const wanted = markFor(caller, marked.get(nameOf(key)) ?? [])
    return [wanted ? { ...listed, wanted } : listed]
  })
}

const nameOf = ({ id, createdAt }: Pick<PassageKey, 'id' | 'createdAt'>) => `${id}@${createdAt.getTime()}`

async function tagsOf(db: Database, keys: readonly PassageKey[], userId: number): Promise<Map<string, Tag[]>> {
  const times = keys.map(({ createdAt }) => createdAt.getTime())
  const found = await tagsBetween(db, userId, new Date(Math.min(...times)), new Date(Math.max(...times) + 1))
  const tags = new Map<string, Tag[]>()
  for (const { vehicleId, createdAt, ...tag } of found) {
    const name = nameOf({ id: vehicleId, createdAt })
    tags.set(name, [...(tags.get(name) ?? []), tag])
  }
  return tags
}
