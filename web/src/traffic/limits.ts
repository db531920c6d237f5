import type { WireLocation } from '@rogatka/contract/locations.ts'
import { tolerances } from '@rogatka/domain/vehicle/tolerance.ts'
import type { Tone } from './BarChart.tsx'

/*
 * Lines of the charts at the highest limits of Polish law (docs/domain.md). Limits of a vehicle also depend on its axles:
 * whether it is overloaded is judged for each one.
 */

/** t */
export const GROSS_LIMIT = 40
export const AXLE_LIMIT = 10
export const DRIVEN_AXLE_LIMIT = 11.5

/** kN of a tonne. */
export const KN_PER_TONNE = 9.80665

/** The largest tolerance of the lanes, percent; 0 without a lane with a scale. */
export function toleranceOf(station: WireLocation | undefined, load: 'gross' | 'singleAxle'): number {
  const classes = (station?.lanes ?? []).flatMap(({ accuracyClass }) => accuracyClass?.name ?? [])
  return Math.max(0, ...classes.map((name) => tolerances[name][load]))
}

/** Of a bin that begins at `from`: beyond the limit only certain if also after the tolerance. */
export const toneOf = (from: number, limit: number, tolerance: number): Tone | undefined =>
  from < limit ? undefined : from < limit * (1 + tolerance / 100) ? 'tolerated' : 'certain'
