import type { Database } from '../core/database.ts'
import { createCache } from './cache.ts'
import { changedHours, type SearchState } from './derived/queries.ts'
import { type Filter, isCoveredByRollUps } from './filter.ts'
import { type Counted, HOUR_MS, type Interval, mergeAdjacent, splitRange } from './intervals.ts'
import { countsByHour, countsByInterval, type SearchSpec } from './queries.ts'

/** Hours so scattered are not counted anew one by one. */
const MAX_RUNS = 20
/** Spans of all remembered counts together: a search over a year by hours has 8,760. */
const MAX_INTERVALS = 200_000

/** `unfinished`: what older transactions wrote is counted. */
type CachedCount = { counted: Counted[]; unfinished: number }

/**
 * Counts the vehicles of a search by spans of time, exactly. A count is remembered by its filter; the next time only
 * the hours are counted anew for which something has arrived since.
 */
export function createCounts() {
  const cache = createCache<CachedCount>(MAX_INTERVALS, ({ counted }) => counted.length)

  return async (db: Database, wanted: SearchSpec, state: SearchState): Promise<Counted[]> => {
    const key = JSON.stringify(wanted.filter)
    const known = cache.get(key)
    const counted = known && known.unfinished <= state.unfinished ? await renew(db, wanted, state, known) : undefined
    const result = counted ?? (await count(db, wanted, state, gridOf(wanted.filter)))
    cache.put(key, { counted: result, unfinished: state.unfinished })
    return result
  }
}

const gridOf = (filter: Filter): Interval[] => {
  const [from, to] = [filter.from.getTime(), filter.to.getTime()]
  return isCoveredByRollUps(filter) ? splitRange(from, to) : [{ from, to }]
}

async function count(
  db: Database,
  wanted: SearchSpec,
  state: SearchState,
  spans: readonly Interval[],
): Promise<Counted[]> {
  const { filter } = wanted
  if (isCoveredByRollUps(filter)) {
    const counts = await countsByInterval(db, filter, spans, state.underived)
    const vehicles = new Map(counts.map(({ start, vehicles }) => [start.getTime(), vehicles]))
    return spans.map((span) => ({ ...span, vehicles: vehicles.get(span.from) ?? 0 }))
  }
  const counts = await countsByHour(db, wanted, spans)
  return counts.map(({ start, vehicles }) => ({ ...hourOf(filter, start), vehicles }))
}

/** The part of an hour that lies within the range. */
const hourOf = ({ from, to }: Filter, start: Date): Interval => ({
  from: Math.max(from.getTime(), start.getTime()),
  to: Math.min(to.getTime(), start.getTime() + HOUR_MS),
})

/** Undefined where it is easier to count all anew. */
async function renew(
  db: Database,
  wanted: SearchSpec,
  state: SearchState,
  known: CachedCount,
): Promise<Counted[] | undefined> {
  const { filter } = wanted
  const changed = await changedHours(db, known.unfinished, filter)
  const hours = [...new Set(changed.map(({ hour }) => +hour))].map((start) => hourOf(filter, new Date(start)))
  if (hours.length === 0) return known.counted
  const holds = ({ from, to }: Interval) => hours.some((hour) => hour.from >= from && hour.from < to)
  const stale = isCoveredByRollUps(filter) ? known.counted.filter(holds) : hours
  if (mergeAdjacent(stale).length > MAX_RUNS) return undefined
  const fresh = await count(db, wanted, state, stale)
  return [...known.counted.filter((span) => !holds(span)), ...fresh].sort((a, b) => a.from - b.from)
}
