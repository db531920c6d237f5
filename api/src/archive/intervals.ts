import type { SortDirection } from '@rogatka/contract/vehicle.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS

/** A piece of time [from, to), in ms since the epoch. */
export type Interval = { from: number; to: number }
export type Counted = Interval & { vehicles: number }

/**
 * Cuts a range for counting: whole days (UTC) where there are some, whole hours before and after them, and what is
 * left of an hour at both ends.
 */
export function splitRange(from: number, to: number): Interval[] {
  const spans: Interval[] = []
  for (let at = from; at < to; ) {
    const isDay = at % DAY_MS === 0 && at + DAY_MS <= to
    const end = Math.min(to, isDay ? at + DAY_MS : Math.floor(at / HOUR_MS) * HOUR_MS + HOUR_MS)
    spans.push({ from: at, to: end })
    at = end
  }
  return spans
}

export const isDay = ({ from, to }: Interval): boolean => to - from === DAY_MS
export const isHour = ({ from, to }: Interval): boolean => to - from === HOUR_MS && from % HOUR_MS === 0

export const sum = (counted: readonly { vehicles: number }[]): number =>
  counted.reduce((total, { vehicles }) => total + vehicles, 0)

/** Joins neighbours. */
export function mergeAdjacent(spans: readonly Interval[]): Interval[] {
  const runs: Interval[] = []
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    const last = runs.at(-1)
    if (last && last.to >= from) last.to = Math.max(last.to, to)
    else runs.push({ from, to })
  }
  return runs
}

/**
 * The spans that hold the vehicles from `offset` on, `limit` of them, in the order of time or against it, and how many
 * vehicles of these spans come before the first one. Spans without vehicles are left out.
 */
export function locateOffset<C extends Counted>(
  counted: readonly C[],
  direction: SortDirection,
  offset: number,
  limit: number,
): { spans: C[]; skip: number } {
  const spans: C[] = []
  let before = 0
  let skip = offset
  for (const span of direction === 'asc' ? counted : counted.toReversed()) {
    if (before >= offset + limit) break
    if (before + span.vehicles > offset) {
      if (spans.length === 0) skip = offset - before
      if (span.vehicles > 0) spans.push(span)
    }
    before += span.vehicles
  }
  return { spans, skip }
}
