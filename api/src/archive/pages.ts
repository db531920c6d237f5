import { locationOf } from '@rogatka/contract/ingest.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import type { PassageKey } from '../core/passage.ts'
import { createCache } from './cache.ts'
import type { SearchState } from './derived/queries.ts'
import { intervalOf, isCoveredByRollUps, isUnsettled, type Sort } from './filter.ts'
import { type IntervalCount, type IntervalMs, isDay, isHour, locateOffset, sum } from './intervals.ts'
import { countsByStationHour, derivedDays, MAX_CELLS, pageKeys, type SearchSpec } from './queries.ts'

/**
 * If one interval has at least this many times the vehicles to skip and return, it is scanned by index without
 * narrowing it to hours.
 */
const MIN_SCAN_RATIO = 20
/** Sorted keys are fetched and cached in blocks of this size: two hundred pages of ten. */
const BLOCK_SIZE = 2_000
/** Maximum cached keys, 16 bytes each. */
const MAX_KEYS = 2_000_000

/** A search and its order. */
type Search = { spec: SearchSpec; sorts: readonly Sort[]; underived: SearchState['underived'] }
type PageRange = { offset: number; limit: number }
/** Alternating ids and times (ms since the epoch) of vehicles. */
type PackedKeys = Float64Array

/** Finds and caches the keys of a page of a counted search. */
export function createPageFinder() {
  const cache = createCache<PackedKeys>(MAX_KEYS * 2, ({ length }) => length)

  /**
   * The total is part of the cache key: vehicles are only added, so an equal total means equal keys, once all that it
   * counts are visible.
   */
  async function cachedKeys(search: Search, total: number, part: object, find: () => Promise<PassageKey[]>) {
    const { spec, sorts, underived } = search
    const key = JSON.stringify([spec.filter, sorts, total, part])
    const cached = cache.get(key)
    if (cached) return cached
    const packed = Float64Array.from((await find()).flatMap(({ id, createdAt }) => [id, createdAt.getTime()]))
    if (!isUnsettled(spec.filter, intervalOf(spec.filter), await underived)) cache.set(key, packed)
    return packed
  }

  /** For orders without an index: sorts from the nearer end, in cached blocks. */
  async function findSorted(db: Database, search: Search, total: number, page: PageRange): Promise<PassageKey[]> {
    const { spec, sorts } = search
    const last = Math.min(total, page.offset + page.limit)
    const fromEnd = page.offset > total / 2
    const [first, end] = fromEnd ? [total - last, total - page.offset] : [page.offset, last]
    const intervals = [intervalOf(spec.filter)]
    const keys: PassageKey[] = []
    for (let at = first; at < end; at++) {
      const part = { limit: BLOCK_SIZE, offset: at - (at % BLOCK_SIZE), fromEnd }
      const block = await cachedKeys(search, total, part, () => pageKeys(db, spec, { intervals }, sorts, part))
      keys.push(keyAt(block, at % BLOCK_SIZE))
    }
    return fromEnd ? keys.reverse() : keys
  }

  return async (
    db: Database,
    search: Search,
    counted: readonly IntervalCount[],
    page: PageRange,
  ): Promise<PassageKey[]> => {
    const total = sum(counted)
    if (page.offset >= total) return []
    if (search.sorts[0]?.column !== 'createdAt') return findSorted(db, search, total, page)
    const packed = await cachedKeys(search, total, page, () => findByTime(db, search, counted, page))
    return Array.from({ length: packed.length / 2 }, (_, at) => keyAt(packed, at))
  }
}

function keyAt(packed: PackedKeys, at: number): PassageKey {
  const [id = 0, time = 0] = packed.subarray(at * 2)
  return { locationId: locationOf(id), createdAt: new Date(time), id }
}

/** For pages by time: the counts locate the page, so that only its intervals are searched. */
async function findByTime(
  db: Database,
  search: Search,
  counted: readonly IntervalCount[],
  page: PageRange,
): Promise<PassageKey[]> {
  const { spec, sorts } = search
  const direction = sorts[0]?.direction ?? 'desc'
  const { limit } = page
  const coarse = locateOffset(counted, direction, page.offset, limit)
  const isShort = coarse.intervals.length === 1 && sum(coarse.intervals) >= MIN_SCAN_RATIO * (coarse.skip + limit)
  const wholeIntervals = coarse.intervals.filter((interval) => isDay(interval) || isHour(interval))
  if (isShort || wholeIntervals.length === 0 || !isCoveredByRollUps(spec.filter))
    return pageKeys(db, spec, coarse, sorts, { limit, offset: coarse.skip })

  const cells = await cellsOf(db, search, wholeIntervals)
  const ends = coarse.intervals.filter((interval) => !isDay(interval) && !isHour(interval))
  const hours = [...hoursOf(cells), ...ends].sort((a, b) => a.from - b.from)
  const { intervals, skip } = locateOffset(hours, direction, coarse.skip, limit)
  const selected = new Set(intervals.map(({ from }) => from))
  const inside = cells.filter(({ from }) => selected.has(from))
  const isSparse = inside.length <= MAX_CELLS && !ends.some(({ from }) => selected.has(from))
  return pageKeys(db, spec, { intervals, cells: isSparse ? inside : undefined }, sorts, { limit, offset: skip })
}

/** The non-empty hours per station within whole days and hours. */
async function cellsOf(db: Database, { spec: { filter }, underived }: Search, wholeIntervals: readonly IntervalMs[]) {
  const starts = new Set(wholeIntervals.map(({ from }) => from - (from % DAY_MS)))
  const derived = await derivedDays(
    db,
    filter,
    [...starts].map((from) => ({ from, to: from + DAY_MS })),
  )
  const others = (await underived).filter(
    ({ locationId, day }) => starts.has(day) && filter.locations.includes(locationId),
  )
  const days = [...derived, ...others].map(({ locationId, day }) => ({ locationId, from: day, to: day + DAY_MS }))
  const isFew = days.length > 0 && days.length <= MAX_CELLS
  const cells = await countsByStationHour(db, filter, { intervals: wholeIntervals, cells: isFew ? days : undefined })
  // A cell is a whole day, an interval may be one hour of it.
  return cells.filter(({ from }) => wholeIntervals.some((interval) => from >= interval.from && from < interval.to))
}

const hoursOf = (cells: readonly IntervalCount[]): IntervalCount[] => {
  const hours = new Map<number, IntervalCount>()
  for (const { from, to, vehicles } of cells)
    hours.set(from, { from, to, vehicles: vehicles + (hours.get(from)?.vehicles ?? 0) })
  return [...hours.values()]
}
