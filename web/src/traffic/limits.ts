import type { WireLocation } from '@rogatka/contract/locations.ts'
import { tolerances } from '@rogatka/domain/vehicle/tolerance.ts'
import type { Tone } from './BarChart.tsx'
import type { SpectrumKind } from './search.ts'

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

/** Single axles have a limit; that of groups depends on the spacing of their axles. */
export const hasAxleLimit = (kind: SpectrumKind): boolean => kind === 'first' || kind === 'single'

/** The highest limit of single axles, t: a first axle never drives (docs/domain.md). */
export const axleLimitOf = (kind: SpectrumKind): number => (kind === 'first' ? AXLE_LIMIT : DRIVEN_AXLE_LIMIT)

/** Lanes of a station, an empty list: all, and the number of their vehicles whose overload was judged. */
export type JudgedLanes = { station: WireLocation | undefined; lanes: readonly number[]; judged: number }

/**
 * The largest tolerance of the accuracy classes of the lanes, percent. Without a class it is 0 if vehicles were judged all the
 * same, by what was measured, else null: nothing tells whether a load is above its limit.
 */
export function toleranceOf({ station, lanes, judged }: JudgedLanes, load: 'gross' | 'singleAxle'): number | null {
  const selected = station?.lanes.filter(({ laneNumber }) => lanes.length === 0 || lanes.includes(laneNumber)) ?? []
  const classes = selected.flatMap(({ accuracyClass }) => accuracyClass?.name ?? [])
  if (classes.length === 0) return judged > 0 ? 0 : null
  return Math.max(...classes.map((name) => tolerances[name][load]))
}

/** Of a bin that begins at `from`: beyond the limit only certain if also after the tolerance; none without a tolerance. */
export const toneOf = (from: number, limit: number, tolerance: number | null): Tone | undefined =>
  tolerance === null || from < limit ? undefined : from < limit * (1 + tolerance / 100) ? 'tolerated' : 'certain'
