import type { WireLocation } from '@rogatka/contract/locations.ts'
import { tolerances } from '@rogatka/domain/vehicle/tolerance.ts'
import type { Tone } from './BarChart.tsx'
import type { SpectrumKind } from './search.ts'
import type { StationLoads } from './useTraffic.ts'

/*
 * Lines of the charts at the highest limits of the law (docs/domain.md). Limits of a vehicle also depend on its axles: whether it
 * is overloaded is judged for each one.
 */

type Limits = StationLoads['limits']

const KG_IN_TONNE = 1_000
/** kN of a tonne. */
export const KN_PER_TONNE = 9.80665

export const tonnes = (kg: number): number => kg / KG_IN_TONNE

/** The highest limit of a gross weight, t; null without one. */
export const grossLimitOf = ({ gross }: Limits): number | null => (gross === null ? null : tonnes(gross))

/** Single axles have a limit; that of groups depends on the spacing of their axles. */
export const hasAxleLimit = (kind: SpectrumKind): boolean => kind === 'first' || kind === 'single'

/** The highest limit of single axles, t: a first axle never drives (docs/domain.md). */
export const axleLimitOf = (kind: SpectrumKind, { drivingAxle, otherAxle }: Limits): number =>
  tonnes(kind === 'first' ? otherAxle : Math.max(drivingAxle, otherAxle))

/** Lanes of a station, an empty list: all. */
export type SelectedLanes = { station: WireLocation | undefined; lanes: readonly number[] }

/**
 * The largest tolerance of the accuracy classes of the lanes, percent. It is 0 if vehicles are judged by what was measured, also
 * without a class. Null if none was judged: nothing tells whether a load is above its limit.
 */
export function toleranceOf(
  { station, lanes }: SelectedLanes,
  { judged, overloadBasis }: Pick<StationLoads, 'judged' | 'overloadBasis'>,
  load: 'gross' | 'singleAxle',
): number | null {
  const selected = station?.lanes.filter(({ laneNumber }) => lanes.length === 0 || lanes.includes(laneNumber)) ?? []
  const classes = selected.flatMap(({ accuracyClass }) => accuracyClass?.name ?? [])
  if (overloadBasis === 'measured' || classes.length === 0) return judged > 0 ? 0 : null
  return Math.max(...classes.map((name) => tolerances[name][load]))
}

/**
 * Of a bin that begins at `from`: beyond the limit only certain if also after the tolerance; none without a limit or a
 * tolerance.
 */
export const toneOf = (from: number, limit: number | null, tolerance: number | null): Tone | undefined =>
  limit === null || tolerance === null || from < limit
    ? undefined
    : from < limit * (1 + tolerance / 100)
      ? 'tolerated'
      : 'certain'
