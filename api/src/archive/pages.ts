import { locationOf } from '@rogatka/contract/ingest.ts'
import type { Database } from '../core/database.ts'
import type { PassageKey } from '../vehicle/queries.ts'
import { createCache } from './cache.ts'
import type { StationDay } from './derived/queries.ts'
import { isCoveredByRollUps, type Sort } from './filter.ts'
import { type Counted, DAY_MS, type Interval, isDay, isHour, locateOffset, sum } from './intervals.ts'
import { countsByStationHour, derivedDays, FEW_CELLS, pageKeys, type SearchSpec } from './queries.ts'

/** A walk along an index to the vehicles of a page meets so many others at most for each of them, else it is prepared better. */
const SHORT_WALK = 20
/** Sorted keys are fetched and kept in pieces of so many: two hundred pages of ten. */
const PIECE = 2_000
/** All kept keys together: 16 bytes each. */
const MAX_KEYS = 2_000_000

/** What is looked for, and in which order. */
type Search = { wanted: SearchSpec; sorts: readonly Sort[]; underived: readonly StationDay[] }
type PageRange = { offset: number; limit: number }
/** Ids and times of vehicles, one after the other. */
type Packed = Float64Array

/** Finds the keys of a page of a search whose vehicles are counted, and remembers them. */
export function createPageFinder() {
  const cache = createCache<Packed>(MAX_KEYS * 2, ({ length }) => length)

  /** Vehicles only ever come, so as long as there are as many they are the same. */
  async function remembered({ wanted, sorts }: Search, total: number, part: object, find: () => Promise<PassageKey[]>) {
    const name = JSON.stringify([wanted.filter, sorts, total, part])
    const known = cache.get(name)
    if (known) return known
    const packed = Float64Array.from((await find()).flatMap(({ id, createdAt }) => [id, createdAt.getTime()]))
    cache.put(name, packed)
    return packed
  }

  /** In an order that no index has: from whichever end is nearer. */
  async function sorted(db: Database, search: Search, total: number, page: PageRange): Promise<PassageKey[]> {
    const { wanted, sorts } = search
    const last = Math.min(total, page.offset + page.limit)
    const fromEnd = page.offset > total / 2
    const [first, end] = fromEnd ? [total - last, total - page.offset] : [page.offset, last]
    const spans = [{ from: wanted.filter.from.getTime(), to: wanted.filter.to.getTime() }]
    const keys: PassageKey[] = []
    for (let at = first; at < end; at++) {
      const part = { limit: PIECE, offset: at - (at % PIECE), fromEnd }
      const piece = await remembered(search, total, part, () => pageKeys(db, wanted, { spans }, sorts, part))
      keys.push(keyAt(piece, at % PIECE))
    }
    return fromEnd ? keys.reverse() : keys
  }

  return async (db: Database, search: Search, counted: readonly Counted[], page: PageRange): Promise<PassageKey[]> => {
    const total = sum(counted)
    if (page.offset >= total) return []
    if (search.sorts[0]?.column !== 'createdAt') return sorted(db, search, total, page)
    const packed = await remembered(search, total, page, () => inTime(db, search, counted, page))
    return Array.from({ length: packed.length / 2 }, (_, at) => keyAt(packed, at))
  }
}

function keyAt(packed: Packed, at: number): PassageKey {
  const [id = 0, time = 0] = packed.subarray(at * 2)
  return { locationId: locationOf(id), createdAt: new Date(time), id }
}

/** In the order of time the counts say where the page lies, so only there is it looked for. */
async function inTime(
  db: Database,
  search: Search,
  counted: readonly Counted[],
  page: PageRange,
): Promise<PassageKey[]> {
  const { wanted, sorts } = search
  const direction = sorts[0]?.direction ?? 'desc'
  const { limit } = page
  const rough = locateOffset(counted, direction, page.offset, limit)
  const isShort = rough.spans.length === 1 && sum(rough.spans) >= SHORT_WALK * (rough.skip + limit)
  const whole = rough.spans.filter((span) => isDay(span) || isHour(span))
  if (isShort || whole.length === 0 || !isCoveredByRollUps(wanted.filter))
    return pageKeys(db, wanted, rough, sorts, { limit, offset: rough.skip })

  const cells = await cellsOf(db, search, whole)
  const ends = rough.spans.filter((span) => !isDay(span) && !isHour(span))
  const hours = [...hoursOf(cells), ...ends].sort((a, b) => a.from - b.from)
  const { spans, skip } = locateOffset(hours, direction, rough.skip, limit)
  const chosen = new Set(spans.map(({ from }) => from))
  const inside = cells.filter(({ from }) => chosen.has(from))
  const isSparse = inside.length <= FEW_CELLS && !ends.some(({ from }) => chosen.has(from))
  return pageKeys(db, wanted, { spans, cells: isSparse ? inside : undefined }, sorts, { limit, offset: skip })
}

/** The hours of stations, within whole days and hours, that have vehicles of the search. */
async function cellsOf(db: Database, { wanted: { filter }, underived }: Search, whole: readonly Interval[]) {
  const starts = new Set(whole.map(({ from }) => from - (from % DAY_MS)))
  const derived = await derivedDays(
    db,
    filter,
    [...starts].map((from) => ({ from, to: from + DAY_MS })),
  )
  const others = underived.filter(({ locationId, day }) => starts.has(day) && filter.locations.includes(locationId))
  const days = [...derived, ...others].map(({ locationId, day }) => ({ locationId, from: day, to: day + DAY_MS }))
  const few = days.length > 0 && days.length <= FEW_CELLS
  const cells = await countsByStationHour(db, filter, { spans: whole, cells: few ? days : undefined })
  // A day at a station reaches beyond a span that is an hour.
  return cells.filter(({ from }) => whole.some((span) => from >= span.from && from < span.to))
}

const hoursOf = (cells: readonly Counted[]): Counted[] => {
  const hours = new Map<number, Counted>()
  for (const { from, to, vehicles } of cells)
    hours.set(from, { from, to, vehicles: vehicles + (hours.get(from)?.vehicles ?? 0) })
  return [...hours.values()]
}
