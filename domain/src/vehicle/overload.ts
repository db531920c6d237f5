import { bounds } from './tolerance.ts'

/** What overload is judged on: the certain minimum, or the measured value as it is. */
export type OverloadBasis = 'minimum' | 'measured'

/**
 * Percent over the limit, one decimal; 0 within it. Any load over the limit gives at least 0.1, so that
 * the percent and the violation never disagree. Without a limit nothing is over; without a tolerance
 * (null) nothing is certain, so the basis 'minimum' finds nothing.
 */
export const overloadPercent = (
  measuredKg: number,
  limitKg: number | null,
  tolerancePercent: number | null,
  basis: OverloadBasis = 'minimum',
): number => {
  if (limitKg === null || limitKg <= 0) return 0
  if (basis === 'minimum' && tolerancePercent === null) return 0
  const judged = basis === 'measured' ? measuredKg : bounds(measuredKg, tolerancePercent ?? 0).min
  if (judged <= limitKg) return 0
  return Math.max(1, Math.round(((judged - limitKg) * 1000) / limitKg)) / 10
}
