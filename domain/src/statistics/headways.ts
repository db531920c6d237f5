import { MINUTE_MS } from '../core/time.ts'

/** Width of the bins up to 10 s, ms. */
export const HEADWAY_BIN_MS = 500
const FINE_BINS = 20

/** Lower edges of the bins after the fine ones, ms; the last bin has no upper bound but MAX_HEADWAY_MS. */
export const COARSE_HEADWAYS_MS = [10_000, 15_000, 30_000, 60_000] as const

/** Number of bins. */
export const HEADWAY_BINS = FINE_BINS + COARSE_HEADWAYS_MS.length

/** A vehicle later than this after the one before has no headway. */
export const MAX_HEADWAY_MS = 10 * MINUTE_MS

/** Bin of the time to the vehicle before in the lane, from 0: [lower, upper); null if it has none. */
export function headwayBin(ms: number): number | null {
  if (ms > MAX_HEADWAY_MS) return null
  if (ms < FINE_BINS * HEADWAY_BIN_MS) return Math.floor(ms / HEADWAY_BIN_MS)
  return FINE_BINS - 1 + COARSE_HEADWAYS_MS.filter((edge) => ms >= edge).length
}

/** Lower edge of a bin, ms. */
export const headwayEdge = (bin: number): number =>
  bin < FINE_BINS ? bin * HEADWAY_BIN_MS : (COARSE_HEADWAYS_MS[bin - FINE_BINS] ?? 0)

/** Headways shorter than `ms`, a multiple of the bins' width of at most 10 s. */
export const headwaysBelow = (counts: readonly number[], ms: number): number =>
  counts.slice(0, ms / HEADWAY_BIN_MS).reduce((sum, count) => sum + count, 0)
