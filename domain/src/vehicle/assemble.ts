import type { AccuracyClass } from '@rogatka/contract/locations.ts'
import type { Axle, AxlesComplex } from '@rogatka/contract/vehicle.ts'
import type { DerivedAxle, DerivedGroup } from './derived.ts'
import { axleTolerance, bounds, groupTolerance, tolerances } from './tolerance.ts'

type Range = { minTotalLoad: number; maxTotalLoad: number }

/** Without a tolerance the bounds are the measured value. */
const range = (load: number, tolerancePercent: number | null): Range => {
  const { min, max } = bounds(load, tolerancePercent ?? 0)
  return { minTotalLoad: min, maxTotalLoad: max }
}

/** Axles in wire form, with the bounds of the true load: the tolerance is larger within a group. */
export const axlesOf = (axles: readonly DerivedAxle[], accuracyClass: AccuracyClass | null): Axle[] => {
  const tolerance = accuracyClass && tolerances[accuracyClass]
  return axles.map(({ limit, ...axle }) => ({
    ...axle,
    ...range(axle.totalLoad, tolerance && axleTolerance(tolerance, axle.type)),
    limitTotalLoad: limit,
  }))
}

/** Gross weight and groups in wire form, with the bounds of the true load; null without weights. */
export const axlesComplexOf = (
  totalLoad: number | null,
  groups: readonly DerivedGroup[],
  accuracyClass: AccuracyClass | null,
): AxlesComplex | null => {
  if (totalLoad === null) return null
  const tolerance = accuracyClass && tolerances[accuracyClass]
  return {
    totalLoad,
    ...range(totalLoad, tolerance ? tolerance.gross : null),
    axlesGroups: groups.map((group) => ({
      type: group.axles.length,
      totalLoad: group.totalLoad,
      ...range(group.totalLoad, tolerance && groupTolerance(tolerance, group.axles.length)),
      limitTotalLoad: group.limit,
      overload: group.overload,
      axles: group.axles,
    })),
  }
}
