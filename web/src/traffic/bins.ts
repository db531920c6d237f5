import { LOAD_BINS } from '@rogatka/domain/statistics/loadSpectra.ts'

/*
 * Bins of charts, from counts of narrower ones.
 */

export type Bin = { from: number; to: number; count: number }
/** A bin of loads; `to` is null of the last one, which has no upper bound. */
export type LoadBin = Omit<Bin, 'to'> & { to: number | null }

/** More bars would be hairlines. */
const MAX_BARS = 60
const WIDTHS = [1, 2, 5, 10, 20]

/** Sums of counts at `first`, `first + 1`, … in bins (from, to] of the narrowest width with few bars. */
export function speedBins(first: number, counts: readonly number[]): Bin[] {
  const last = first + counts.length - 1
  const width = WIDTHS.find((candidate) => counts.length / candidate < MAX_BARS) ?? 20
  const start = Math.floor((first - 1) / width) * width
  const end = Math.max(start + width, Math.ceil(last / width) * width)
  return Array.from({ length: (end - start) / width }, (_, bin) => {
    const from = start + bin * width
    const inside = counts.slice(Math.max(0, from + 1 - first), Math.max(0, from + width + 1 - first))
    return { from, to: from + width, count: inside.reduce((sum, count) => sum + count, 0) }
  })
}

/** Bins [from, to) of a histogram that begins at 0, at least up to `until`. */
export const loadBins = (width: number, counts: readonly number[], until = 0): LoadBin[] =>
  Array.from({ length: Math.max(counts.length, Math.ceil(until / width)) }, (_, bin) => ({
    from: bin * width,
    to: bin === LOAD_BINS - 1 ? null : (bin + 1) * width,
    count: counts[bin] ?? 0,
  }))

/**
 * Counts of bins from the first edge at or above a limit on. Null if the last bin, which has no upper bound, has counts that may
 * be below it.
 */
export function aboveLimit(bins: readonly LoadBin[], limit: number): { from: number; count: number | null } {
  const width = bins[1]?.from ?? 1
  const from = Math.ceil(limit / width) * width
  const isUnknown = bins.some((bin) => bin.to === null && bin.from < from && bin.count > 0)
  const inside = bins.filter((bin) => bin.from >= from)
  return { from, count: isUnknown ? null : inside.reduce((sum, { count }) => sum + count, 0) }
}
