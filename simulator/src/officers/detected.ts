import { measurement as measurementSchema } from '@rogatka/contract/ingest.ts'
import { derive } from '@rogatka/domain/ingest/derive.ts'
import { excessesOf, staticLoads } from '@rogatka/domain/inspections/weighing.ts'
import { axlesComplexOf, axlesOf } from '@rogatka/domain/vehicle/assemble.ts'
import type { LegalLimits } from '@rogatka/domain/vehicle/limits.ts'
import polishLimits from '@rogatka/domain/vehicle/limits-pl.json' with { type: 'json' }
import type { Detection, SimulatedStation } from '../detection.ts'
import { measure } from '../measure.ts'

/** The Polish law, which the stations of the demo apply. */
const limits = polishLimits as LegalLimits

/** A detection as the portal derives it. */
export function derivedOf(detection: Detection, site: SimulatedStation) {
  const { id, lanes, distanceToSign, distanceToCheckpoint } = site.location
  const station = {
    id,
    speedLimit: site.speedLimit,
    speedLimitHeavy: site.speedLimitHeavy,
    distanceToSign,
    distanceToCheckpoint,
    lanes: lanes.map(({ laneNumber, accuracyClass }) => ({ laneNumber, accuracyClass: accuracyClass?.name ?? null })),
  }
  return derive(measurementSchema.parse(measure(detection, site)), station, limits)
}
export type DerivedDetection = ReturnType<typeof derivedOf>

/** Percent by which the worst load exceeds its limit, with the tolerance of the lane deducted. */
export const overloadOf = ({ overloadSA, overloadMA, overloadTL }: DerivedDetection): number =>
  Math.max(overloadSA ?? 0, overloadMA ?? 0, overloadTL ?? 0)

/** Static loads of a vehicle that exceed their limit for sure. */
export function excessesOfWeighing(derived: DerivedDetection, axles: readonly number[], accuracyPercent: number) {
  const { ctg8p1, ctg323, limitTotalLoad, totalLoad, groups, accuracyClass } = derived
  const measured = {
    ctg8p1,
    ctg323,
    limitTotalLoad,
    axles: axlesOf(derived.axles, accuracyClass),
    axlesComplex: axlesComplexOf(totalLoad, groups, accuracyClass),
  }
  const weights = { axles, gaps: null, groups: null, gross: null }
  return excessesOf(staticLoads(weights, { limits, measured, ctg8p1 }), accuracyPercent)
}
