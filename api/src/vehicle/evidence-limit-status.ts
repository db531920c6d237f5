/** Over: by more than the tolerance of the scale. Tolerance: above the limit, but not certainly. */
export type LimitStatus = 'over' | 'tolerance' | 'within'

/** Compares a value with its limit; `excess` in percent, null if not computed. */
export function limitStatusOf(measured: number, limit: number | null, excess: number | null): LimitStatus {
  if (excess !== null && excess > 0) return 'over'
  return limit !== null && measured > limit ? 'tolerance' : 'within'
}
