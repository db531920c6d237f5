/** The part of the gauge on each side of the usual band, in widths of the band. */
const BESIDE = 0.8

/** Shares of the width of a gauge, from 0 to 1. */
type Gauge = { from: number; to: number; at: number }

/**
 * Gauge of a figure beside its usual band. The band has the same position in all gauges, so that the eye compares only the
 * tick; a figure far outside is at the end.
 */
export function gaugeOf(value: number, { low, high }: { low: number; high: number }): Gauge {
  const from = BESIDE / (1 + 2 * BESIDE)
  const to = 1 - from
  // A band of one value has room for the difference of one vehicle.
  const at = from + ((value - low) / Math.max(1, high - low)) * (to - from)
  return { from, to, at: Math.min(1, Math.max(0, at)) }
}
