/** Over: by more than the scale may err. Tolerance: above the limit, but not certainly. */
export type LimitStatus = 'over' | 'tolerance' | 'within'

/** What a measured value means against its limit; `excess` is the percent that was judged, where one was. */
export function verdictOf(measured: number, limit: number | null, excess: number | null): LimitStatus {
  if (excess !== null && excess > 0) return 'over'
  return limit !== null && measured > limit ? 'tolerance' : 'within'
}
