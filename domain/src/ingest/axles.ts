import type { Measurement } from '@rogatka/contract/ingest.ts'
import type { AccuracyClass } from '@rogatka/contract/locations.ts'
import { axleGroups } from '../vehicle/axleGroups.ts'
import type { VehicleForLimits } from '../vehicle/axleRoles.ts'
import type { DerivedAxle, DerivedGroup } from '../vehicle/derived.ts'
import { axleLimit, groupLimit, type LegalLimits } from '../vehicle/limits.ts'
import { type OverloadBasis, overloadPercent } from '../vehicle/overload.ts'
import { axleTolerance, groupTolerance, tolerances } from '../vehicle/tolerance.ts'

type MeasuredAxles = NonNullable<Measurement['axles']>

/** Spacing of each axle to the previous one, cm. 0 for the first, whatever the station sent; 0 later: not measured. */
export const gapsOf = (axles: MeasuredAxles): number[] =>
  axles.map((axle, index) => (index === 0 ? 0 : (axle.gap ?? 0)))

/** Axles with groups, limits and overloads. */
export const deriveAxles = (
  measured: MeasuredAxles,
  vehicle: VehicleForLimits,
  limits: LegalLimits,
  accuracyClass: AccuracyClass | null,
  basis: OverloadBasis,
): { axles: DerivedAxle[]; groups: DerivedGroup[] } => {
  const tolerance = accuracyClass && tolerances[accuracyClass]
  const loads = measured.map((axle) => (axle.leftWeight ?? 0) + (axle.rightWeight ?? 0))
  const grouped = axleGroups(vehicle.gaps)

  const axles = grouped.flatMap((group) =>
    group.map((number): DerivedAxle => {
      const load = loads[number - 1] ?? 0
      const limit = axleLimit(limits, vehicle, number, group)
      return {
        type: group.length,
        leftWeight: measured[number - 1]?.leftWeight ?? null,
        rightWeight: measured[number - 1]?.rightWeight ?? null,
        totalLoad: load,
        gap: vehicle.gaps[number - 1] ?? 0,
        limit,
        overload: overloadPercent(load, limit, tolerance && axleTolerance(tolerance, group.length), basis),
      }
    }),
  )

  const groups = grouped.map((group): DerivedGroup => {
    const load = group.reduce((sum, number) => sum + (loads[number - 1] ?? 0), 0)
    const [only] = group.length === 1 ? group : []
    const limit = only === undefined ? groupLimit(limits, vehicle, group) : axleLimit(limits, vehicle, only, group)
    return {
      axles: group,
      totalLoad: load,
      limit,
      overload: overloadPercent(load, limit, tolerance && groupTolerance(tolerance, group.length), basis),
    }
  })

  return { axles, groups }
}
