/*
 * How well a station preselects (docs/domain.md, Hit rate). Counts are of inspections, by SQL.
 */

/** Part of a whole, as counts. */
export type Ratio = { part: number; of: number }

export type OutcomeCounts = {
  /** Confirmed and weighed, of preselected and flagged ones. */
  hits: Ratio
  /** Taken over and announced. */
  stops: Ratio
  /** Taken over with a flagged detection. */
  stoppedFlagged: number
  /** Confirmed and weighed, of random ones that were not flagged. */
  misses: Ratio
}

/** 97.5 % quantile of the normal distribution, as published: figures are reproducible with it to the last digit. */
const Z = 1.959964

/** Wilson score interval at 95 %, as fractions. `of` is above 0. */
export function wilsonInterval({ part, of: n }: Ratio): { low: number; high: number } {
  const p = part / n
  const scale = 1 + Z ** 2 / n
  const centre = (p + Z ** 2 / (2 * n)) / scale
  const half = (Z * Math.sqrt((p * (1 - p)) / n + Z ** 2 / (4 * n ** 2))) / scale
  // Rounding would leave a negative zero for none.
  return { low: Math.max(0, centre - half), high: centre + half }
}

/** Counts under which no percentage is shown, as it would suggest a precision that is not there. */
export const MIN_FOR_RATE = 10
export const MIN_FOR_RATE_OF_OFFICER = 30

/**
 * Ratio with its percentage and 95 % interval, one decimal; null for too few, and if it is not a share: a vehicle that was
 * stopped twice is detected once.
 */
export type Rate = Ratio & { percent: number | null; low: number | null; high: number | null }

/** Percentage with one decimal. Exact halves are rounded up. */
const percentOf = (ratio: Ratio): number => Math.round((1_000 * ratio.part) / ratio.of) / 10

const oneDecimal = (fraction: number): number => Math.round(1_000 * fraction) / 10

/** Percentage that a hit rate should reach (docs/domain.md, Hit rate). */
export const HIT_RATE_TARGET = 95

/** Whether the hit rate misses its target for sure: with its whole interval. */
export const missesTarget = ({ high }: Pick<Rate, 'high'>): boolean => high !== null && high < HIT_RATE_TARGET

/** Rate of a ratio, without percentages under a minimum or above 100 %. */
export function rateOf({ part, of }: Ratio, minimum = MIN_FOR_RATE): Rate {
  if (of < minimum || part > of) return { part, of, percent: null, low: null, high: null }
  const { low, high } = wilsonInterval({ part, of })
  return { part, of, percent: percentOf({ part, of }), low: oneDecimal(low), high: oneDecimal(high) }
}

export type Effectiveness = { hitRate: Rate; stopRate: Rate; coverage: Rate; missedRate: Rate }

/** Rates of the counts. `flagged`: all flagged detections of the same stations, lanes and time. */
export const effectivenessOf = (
  { hits, stops, stoppedFlagged, misses }: OutcomeCounts,
  flagged: number,
  minimum = MIN_FOR_RATE,
): Effectiveness => ({
  hitRate: rateOf(hits, minimum),
  stopRate: rateOf(stops, minimum),
  coverage: rateOf({ part: stoppedFlagged, of: flagged }, minimum),
  missedRate: rateOf(misses, minimum),
})
