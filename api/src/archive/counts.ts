import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import { createCache } from './cache.ts'
import { changedHours, type SearchState } from './derived/queries.ts'
import { type Filter, isCoveredByHours, isCoveredByRollUps } from './filter.ts'
import { type IntervalCount, type IntervalMs, mergeAdjacent, splitRange } from './intervals.ts'
import { countsByHour, countsByInterval, countsByWholeHour, type SearchSpec } from './queries.ts'

/** If the hours to recount form more runs than this, all are counted again. */
const MAX_RUNS = 20
/** Maximum intervals in all cached counts: a search over a year by hours has 8,760. */
const MAX_INTERVALS = 200_000

/** `unfinished`: transaction id; everything written by older transactions is counted. */
type CachedCount = { counted: IntervalCount[]; unfinished: number }

/**
 * Counts the vehicles of a search per interval, exactly. Counts are cached by filter; the next time only hours with
 * arrivals since then are counted again.
 */
export function createCounts() {
  const cache = createCache<CachedCount>(MAX_INTERVALS, ({ counted }) => counted.length)

  return async (db: Database, spec: SearchSpec, state: SearchState): Promise<IntervalCount[]> => {
    const key = JSON.stringify(spec.filter)
    const cached = cache.get(key)
    const counted =
      cached && cached.unfinished <= state.unfinished ? await refreshCount(db, spec, state, cached) : undefined
    const result = counted ?? (await count(db, spec, state, splitFilterRange(spec.filter)))
    cache.set(key, { counted: result, unfinished: state.unfinished })
    return result
  }
}

const splitFilterRange = (filter: Filter): IntervalMs[] => {
  const [from, to] = [filter.from.getTime(), filter.to.getTime()]
  return isCoveredByRollUps(filter) ? splitRange(from, to) : [{ from, to }]
}

async function count(
  db: Database,
  spec: SearchSpec,
  state: SearchState,
  intervals: readonly IntervalMs[],
): Promise<IntervalCount[]> {
  const { filter } = spec
  if (isCoveredByRollUps(filter)) {
    const counts = await countsByInterval(db, filter, intervals, await state.underived)
    const vehicles = new Map(counts.map(({ start, vehicles }) => [start.getTime(), vehicles]))
    return intervals.map((interval) => ({ ...interval, vehicles: vehicles.get(interval.from) ?? 0 }))
  }
  const counts = isCoveredByHours(filter)
    ? await countsByWholeHour(db, filter, intervals, await state.underived)
    : await countsByHour(db, spec, intervals)
  return counts.map(({ start, vehicles }) => ({ ...hourOf(filter, start), vehicles }))
}

/** The part of an hour that lies within the range. */
const hourOf = ({ from, to }: Filter, start: Date): IntervalMs => ({
  from: Math.max(from.getTime(), start.getTime()),
  to: Math.min(to.getTime(), start.getTime() + HOUR_MS),
})

/** Counts the changed hours of a cached count again; undefined if counting everything is cheaper. */
async function refreshCount(
  db: Database,
  spec: SearchSpec,
  state: SearchState,
  cached: CachedCount,
): Promise<IntervalCount[] | undefined> {
  const { filter } = spec
  const changed = await changedHours(db, cached.unfinished, filter)
  const hours = [...new Set(changed.map(({ hour }) => +hour))].map((start) => hourOf(filter, new Date(start)))
  if (hours.length === 0) return cached.counted
  const containsChange = ({ from, to }: IntervalMs) => hours.some((hour) => hour.from >= from && hour.from < to)
  const stale = isCoveredByRollUps(filter) ? cached.counted.filter(containsChange) : hours
  if (mergeAdjacent(stale).length > MAX_RUNS) return undefined
  const fresh = await count(db, spec, state, stale)
  return [...cached.counted.filter((interval) => !containsChange(interval)), ...fresh].sort((a, b) => a.from - b.from)
}
