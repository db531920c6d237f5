/** Over: by more than the scale may err. Tolerance: above the limit, but not certainly. */
export type Verdict = 'over' | 'tolerance' | 'within'

/** What a measured value means against its limit; `excess` is the percent that was judged, where one was. */
export function verdictOf(measured: number, limit: number | null, excess: number | null): Verdict {
  if (excess !== null && excess > 0) return 'over'
  return limit !== null && measured > limit ? 'tolerance' : 'within'
}
