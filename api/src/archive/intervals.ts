import type { SortDirection } from '@rogatka/contract/wire.ts'
import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'

/** [from, to) in ms since the epoch. */
export type IntervalMs = { from: number; to: number }
export type IntervalCount = IntervalMs & { vehicles: number }

/**
 * Splits a range for counting: whole days (UTC), whole hours before and after them, and the partial hours at both ends.
 */
export function splitRange(from: number, to: number): IntervalMs[] {
  const intervals: IntervalMs[] = []
  for (let at = from; at < to; ) {
    const isDay = at % DAY_MS === 0 && at + DAY_MS <= to
    const end = Math.min(to, isDay ? at + DAY_MS : Math.floor(at / HOUR_MS) * HOUR_MS + HOUR_MS)
    intervals.push({ from: at, to: end })
    at = end
  }
  return intervals
}

export const isDay = ({ from, to }: IntervalMs): boolean => to - from === DAY_MS
export const isHour = ({ from, to }: IntervalMs): boolean => to - from === HOUR_MS && from % HOUR_MS === 0

export const isWholeHours = ({ from, to }: IntervalMs): boolean => from % HOUR_MS === 0 && to % HOUR_MS === 0

/** Splits an interval into its whole hours together, and the partial hours before and after them. */
export function splitAtHours({ from, to }: IntervalMs): IntervalMs[] {
  const start = Math.min(to, Math.ceil(from / HOUR_MS) * HOUR_MS)
  const end = Math.max(start, Math.floor(to / HOUR_MS) * HOUR_MS)
  const parts = [
    { from, to: start },
    { from: start, to: end },
    { from: end, to },
  ]
  return parts.filter((part) => part.from < part.to)
}

export const sum = (counted: readonly { vehicles: number }[]): number =>
  counted.reduce((total, { vehicles }) => total + vehicles, 0)

/** Merges adjacent and overlapping intervals, sorted. */
export function mergeAdjacent(intervals: readonly IntervalMs[]): IntervalMs[] {
  const runs: IntervalMs[] = []
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    const last = runs.at(-1)
    if (last && last.to >= from) last.to = Math.max(last.to, to)
    else runs.push({ from, to })
  }
  return runs
}

/**
 * The intervals that contain the vehicles from `offset` on, `limit` of them, in ascending or descending time order, and
 * how many vehicles of these intervals precede the first one. Empty intervals are omitted.
 */
export function locateOffset<C extends IntervalCount>(
  counted: readonly C[],
  direction: SortDirection,
  offset: number,
  limit: number,
): { intervals: C[]; skip: number } {
  const intervals: C[] = []
  let before = 0
  let skip = offset
  for (const interval of direction === 'asc' ? counted : counted.toReversed()) {
    if (before >= offset + limit) break
    if (before + interval.vehicles > offset) {
      if (intervals.length === 0) skip = offset - before
      if (interval.vehicles > 0) intervals.push(interval)
    }
    before += interval.vehicles
  }
  return { intervals, skip }
}
