import { type ArchiveFilters, MAX_TAGGED, PAGE_SIZE, type SearchQuery } from '@rogatka/contract/archive.ts'
import type { ListFlags, Tag, Vehicle } from '@rogatka/contract/vehicle.ts'
import { selectFields } from '@rogatka/domain/vehicle/selectFields.ts'
import { type ListMark, markFor } from '@rogatka/domain/wanted/visibility.ts'
import { anonymiseFor, assertPlateQueryAllowed, isAnonymised } from '../core/anonymity.ts'
import { fetchRows, openCursor, streamFromSnapshot } from '../core/cursor.ts'
import { CLIENT_CHECK_MS, type Database, type Pool, SNAPSHOT, type Transaction } from '../core/database.ts'
import { disconnectError } from '../core/disconnect.ts'
import { type PassageKey, vehicleKey } from '../core/passage.ts'
import { Refusal } from '../core/refusal.ts'
import { createUserSemaphore } from '../core/semaphore.ts'
import type { Session } from '../core/sessions.ts'
import { vehicleLocations } from '../locations/public-api.ts'
import { axlesByKeys, type ImageAddresses, tagsBetween, vehiclesByKeys } from '../vehicle/public-api.ts'
import { listMarks } from '../wanted/public-api.ts'
import { createCounts } from './counts.ts'
import { readSearchState, type SearchState } from './derived/queries.ts'
import { filterOf, sortsOf } from './filter.ts'
import { sum } from './intervals.ts'
import { axlesFrom, fromRow, type ListedRow, type ListVehicle } from './list-vehicle.ts'
import { monthsOf, type StationMonth, wholeDays } from './months.ts'
import { createPageFinder } from './pages.ts'
import { resolvePlates } from './plates.ts'
import {
  countVehicles,
  derivedMonths,
  pageKeys,
  planForStreaming,
  type SearchSpec,
  selectKeys,
  selectRecords,
  selectRows,
} from './queries.ts'

type Caller = Pick<Session, 'userId' | 'permissions'>
type SearchResult = { content: Vehicle[]; totalCount: number }

const NO_RESULT: SearchResult = { content: [], totalCount: 0 }
/** Rows per fetch. */
const BATCH_SIZE = 500
/** The same for records, which are smaller than parsed rows. */
const RECORD_BATCH_SIZE = 2_000

/** Maximum wait for a semaphore slot, as for a connection. */
const QUEUE_TIMEOUT_MS = 10_000
/** Maximum waiting searches: in all, and per user. */
const QUEUE_LIMITS = { queue: 256, queuePerUser: 16 }
/** Caches and semaphore of this process per database. */
const contexts = new WeakMap<object, ReturnType<typeof createSearchContext>>()

/**
 * Searches use half of the connections; the rest is for stations and the live list. One user gets at most half of that,
 * so that slow searches do not delay other users.
 */
function createSearchContext(db: Pool) {
  const total = Math.ceil(db.max / 2)
  const perUser = Math.max(1, Math.floor(total / 2))
  return {
    counts: createCounts(),
    pages: createPageFinder(),
    semaphore: createUserSemaphore({ total, perUser, waitMs: QUEUE_TIMEOUT_MS, ...QUEUE_LIMITS }),
  }
}

function searchContext(db: Pool) {
  const context = contexts.get(db.limits) ?? createSearchContext(db)
  contexts.set(db.limits, context)
  return context
}

/**
 * Runs a search in one snapshot, once the user has a semaphore slot. If `signal` aborts, a waiting search leaves the
 * queue and a running one is cancelled in the database.
 * @throws 503 `unavailable` if the queue is full or the wait too long
 */
export async function inSnapshot<T>(
  db: Pool,
  { userId }: Pick<Caller, 'userId'>,
  work: (db: Transaction, state: SearchState) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const release = await searchContext(db).semaphore.acquire(userId, signal)
  if (release === null) throw disconnectError()
  if (release === 'busy') throw new Refusal('unavailable', 503, null, 5)
  try {
    const isDistributed = await db.hasCitus()
    return await db.transaction(async (db) => work(db, await readSearchState(db, isDistributed)), {
      mode: SNAPSHOT,
      signal,
    })
  } finally {
    // The slot is kept until the database has cancelled the statement.
    if (signal?.aborted) setTimeout(release, CLIENT_CHECK_MS)
    else release()
  }
}

/** Rejects a search or order by plate in an anonymised session. @throws 403 */
export const assertSearchAllowed = (caller: Pick<Caller, 'permissions'>, query: ArchiveFilters): void =>
  assertPlateQueryAllowed(caller, query, [query.orderByColumnName1, query.orderByColumnName2, query.orderByColumnName3])

/**
 * The filter, limited to the time range of stored vehicles, with its plate condition; undefined if nothing can match.
 */
export async function resolveSearchSpec(
  db: Database,
  query: ArchiveFilters,
  caller: Caller,
  state: SearchState,
): Promise<SearchSpec | undefined> {
  assertSearchAllowed(caller, query)
  const requested = filterOf(query, caller.userId)
  const { extent } = state
  const from = requested.from > extent.from ? requested.from : extent.from
  const to = requested.to < extent.to ? requested.to : extent.to
  if (from >= to) return undefined
  const filter = { ...requested, from, to }
  if (!filter.plate) return { filter, plates: null }
  const plates = await resolvePlates(db, filter, state.through)
  return plates && { filter, plates }
}

/** A page of the matching vehicles, sorted, and the total. */
export function search(
  db: Pool,
  query: SearchQuery,
  caller: Caller,
  addresses: Pick<ImageAddresses, 'show'>,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const { counts, pages } = searchContext(db)
  const load = (db: Database, keys: readonly PassageKey[]) =>
    loadVehicles(db, keys, query, caller, (vehicle) => addresses.show(vehicle, isAnonymised(caller)))
  const work = async (db: Database, state: SearchState) => {
    const spec = await resolveSearchSpec(db, query, caller, state)
    if (!spec) return NO_RESULT
    const sorts = sortsOf(query)
    const page = pageOf(query)
    if (spec.filter.taggedBy !== null) {
      const totalCount = await countVehicles(db, spec)
      const { from, to } = spec.filter
      const intervals = [{ from: from.getTime(), to: to.getTime() }]
      const keys = totalCount > page.offset ? await pageKeys(db, spec, { intervals }, sorts, page) : []
      return { content: await load(db, keys), totalCount }
    }
    const counted = await counts(db, spec, state)
    const keys = await pages(db, { spec, sorts, underived: state.underived }, counted, page)
    return { content: await load(db, keys), totalCount: sum(counted) }
  }
  return inSnapshot(db, caller, work, signal)
}

/** Returns all tagged vehicles if no page is requested. */
function pageOf({ page, limit = PAGE_SIZE, taggedOnly }: SearchQuery) {
  if (taggedOnly && page === undefined) return { offset: 0, limit: MAX_TAGGED }
  return { offset: ((page ?? 1) - 1) * limit, limit }
}

/** The number of matching vehicles. */
export function countOf(db: Pool, query: ArchiveFilters, caller: Caller, signal?: AbortSignal): Promise<number> {
  const { counts } = searchContext(db)
  const work = async (db: Database, state: SearchState) => {
    const spec = await resolveSearchSpec(db, query, caller, state)
    if (!spec) return 0
    return spec.filter.taggedBy === null ? sum(await counts(db, spec, state)) : countVehicles(db, spec)
  }
  return inSnapshot(db, caller, work, signal)
}

/** Yields the values of `work`, which reads the vehicles of a search in one snapshot; none if nothing can match. */
async function* streamSearch<T>(
  db: Pool,
  query: ArchiveFilters,
  caller: Caller,
  work: (db: Database, spec: SearchSpec) => AsyncIterable<T>,
): AsyncGenerator<T, void> {
  const isDistributed = await db.hasCitus()
  yield* streamFromSnapshot(db, async function* (db) {
    const spec = await resolveSearchSpec(db, query, caller, await readSearchState(db, isDistributed))
    if (spec) yield* work(db, spec)
  })
}

/**
 * Streams all matching vehicles in the requested order with the requested fields, from a cursor in constant memory.
 * Holds a connection until it ends or is closed.
 */
export const searchRows = (
  db: Pool,
  query: ArchiveFilters & ListFlags,
  caller: Caller,
): AsyncGenerator<Vehicle[], void> =>
  streamSearch(db, query, caller, async function* (db, spec) {
    for await (const keys of fetchRows<PassageKey>(db, selectKeys(spec, sortsOf(query)), BATCH_SIZE))
      yield await loadVehicles(db, keys, query, caller, (vehicle) => anonymiseFor(caller, vehicle))
  })

/**
 * Streams all matching vehicles with only the fields of lists without images. The next rows are fetched while the
 * current ones are processed.
 */
export const listedRows = (
  db: Pool,
  query: ArchiveFilters & Pick<ListFlags, 'withAxles' | 'withTags'>,
  caller: Caller,
): AsyncGenerator<ListVehicle[], void> =>
  streamSearch(db, query, caller, async function* (db, spec) {
    const locations = new Map((await vehicleLocations(db)).map((location) => [location.id, location]))
    const fetchNext = await openCursor(db, selectRows(spec, sortsOf(query)), BATCH_SIZE)
    for (let next = fetchNext(); ; ) {
      const rows = (await next) as unknown as ListedRow[]
      if (rows.length === 0) return
      const found = rows.flatMap((row) => fromRow(row, locations) ?? [])
      const details = attachDetails(db, found, query, caller)
      next = fetchNext()
      await details
      yield found.map((vehicle) => anonymiseFor(caller, vehicle))
    }
  })

/** Vehicles as texts of records (`selectRecords`), with the stations and the keys of the user's tagged vehicles. */
export type RecordBatch = {
  records: readonly string[]
  locations: ReadonlyMap<string, Vehicle['location']>
  tagged: ReadonlySet<string>
}

/** The same for CSV, unparsed and not anonymised: read by `createLineFormat`. */
export const listedRecords = (
  db: Pool,
  query: ArchiveFilters & Pick<ListFlags, 'withTags'>,
  caller: Caller,
): AsyncGenerator<RecordBatch, void> =>
  streamSearch(db, query, caller, async function* (db, spec) {
    const { from, to } = spec.filter
    const tags = query.withTags ? await tagsBetween(db, caller.userId, from, to) : []
    const tagged = new Set(tags.map(({ vehicleId, createdAt }) => vehicleKey({ id: vehicleId, createdAt })))
    const locations = new Map((await vehicleLocations(db)).map((location) => [String(location.id), location]))
    await planForStreaming(db)
    const fetchNext = await openCursor(db, selectRecords(spec, sortsOf(query)), RECORD_BATCH_SIZE)
    for (let next = fetchNext(); ; ) {
      const rows = (await next) as [string][]
      if (rows.length === 0) return
      next = fetchNext()
      yield { records: rows.map(([record]) => record), locations, tagged }
    }
  })

/** The months (UTC) at stations that may have vehicles of a search, by station, then month, limited to its range. */
export const monthsWithVehicles = (
  db: Pool,
  query: ArchiveFilters,
  caller: Caller,
  signal: AbortSignal,
): Promise<StationMonth[]> =>
  inSnapshot(
    db,
    caller,
    async (db, state) => {
      const spec = await resolveSearchSpec(db, query, caller, state)
      if (!spec) return []
      const { from, to, locations } = spec.filter
      const range = { from: from.getTime(), to: to.getTime() }
      const days = wholeDays(range)
      const underived = (await state.underived).filter(
        ({ locationId, day }) => day >= days.from && day < days.to && locations.includes(locationId),
      )
      return monthsOf([...(await derivedMonths(db, spec.filter, days)), ...underived], range)
    },
    signal,
  )

/** Adds requested axles with accuracy class, and tags, in parallel queries. */
async function attachDetails(
  db: Database,
  found: ListVehicle[],
  { withAxles, withTags }: ListFlags,
  { userId }: Caller,
) {
  const keys = found.map(({ id, createdAt, location }) => ({ id, createdAt, locationId: location.id }))
  const [axles, tagsByKey] = await Promise.all([
    withAxles ? axlesByKeys(db, keys) : [],
    withTags ? tagsOf(db, keys, userId) : new Map<string, Tag[]>(),
  ])
  for (const [at, vehicle] of found.entries()) {
    if (withAxles) {
      const { axles: list = null, accuracyClass = null } = axles[at] ?? {}
      vehicle.axles = axlesFrom(list)
      vehicle.lane.accuracyClass = accuracyClass === null ? null : { name: accuracyClass }
    }
    if (withTags) vehicle.tags = tagsByKey.get(vehicleKey(vehicle)) ?? []
  }
}

/** The vehicles of these keys, in this order, with the requested fields. */
async function loadVehicles(
  db: Database,
  keys: readonly PassageKey[],
  flags: ListFlags,
  caller: Caller,
  show: (vehicle: Vehicle) => Vehicle,
): Promise<Vehicle[]> {
  if (keys.length === 0) return []
  // In parallel, for one round trip.
  const [found, tagsByKey, marks] = await Promise.all([
    vehiclesByKeys(db, keys, flags.withImages === true || flags.withDataImages === true),
    flags.withTags ? tagsOf(db, keys, caller.userId) : new Map<string, Tag[]>(),
    listMarks(db, keys),
  ])
  const marksByKey = Map.groupBy<string, ListMark & Pick<PassageKey, 'id' | 'createdAt'>>(marks, vehicleKey)
  const byKey = new Map(found.map(({ vehicle }) => [vehicleKey(vehicle), vehicle]))
  return keys.flatMap((key) => {
    const vehicle = byKey.get(vehicleKey(key))
    if (!vehicle) return []
    const listed = selectFields(show(vehicle), flags, tagsByKey.get(vehicleKey(key)) ?? [])
    const mark = markFor(caller, marksByKey.get(vehicleKey(key)) ?? [])
    return [mark ? { ...listed, wanted: mark } : listed]
  })
}

async function tagsOf(db: Database, keys: readonly PassageKey[], userId: number): Promise<Map<string, Tag[]>> {
  const times = keys.map(({ createdAt }) => createdAt.getTime())
  const found = await tagsBetween(db, userId, new Date(Math.min(...times)), new Date(Math.max(...times) + 1))
  const tags = new Map<string, Tag[]>()
  for (const { vehicleId, createdAt, ...tag } of found) {
    const name = vehicleKey({ id: vehicleId, createdAt })
    tags.set(name, [...(tags.get(name) ?? []), tag])
  }
  return tags
}
