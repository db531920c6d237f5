import { bounds } from './tolerance.ts'

/** Basis of overloads: the lower bound of the true load, or the measured value. */
export type OverloadBasis = 'minimum' | 'measured'

/**
 * Percent over the limit, one decimal; 0 within it. Any excess gives at least 0.1, so that percent and violation agree.
 * Without a limit there is no overload; without a tolerance (null) the basis 'minimum' finds none.
 */
export const overloadPercent = (
  measuredKg: number,
  limitKg: number | null,
  tolerancePercent: number | null,
  basis: OverloadBasis = 'minimum',
): number => {
  if (!limitKg) return 0
  if (basis === 'minimum' && tolerancePercent === null) return 0
  const evaluatedKg = basis === 'measured' ? measuredKg : bounds(measuredKg, tolerancePercent ?? 0).min
  if (evaluatedKg <= limitKg) return 0
  return Math.max(1, Math.round(((evaluatedKg - limitKg) * 1000) / limitKg)) / 10
}
