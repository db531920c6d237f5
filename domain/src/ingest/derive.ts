import { type Measurement, vehicleId } from '@rogatka/contract/ingest.ts'
import { overspeedRange, speedRange } from '../statistics/ranges.ts'
import { arrivalTime } from '../vehicle/arrival.ts'
import type { VehicleForLimits } from '../vehicle/axleRoles.ts'
import type { DerivedVehicle, Station } from '../vehicle/derived.ts'
import { kindOf, storedCtg8p1 } from '../vehicle/kind.ts'
import { grossLimit, heightLimit, type LegalLimits, lengthLimit } from '../vehicle/limits.ts'
import { type OverloadBasis, overloadPercent } from '../vehicle/overload.ts'
import { normalisePlate } from '../vehicle/plate.ts'
import { speedLimitOf } from '../vehicle/speed.ts'
import { tolerances } from '../vehicle/tolerance.ts'
import { toBits } from '../vehicle/violations.ts'
import { deriveAxles, gapsOf } from './axles.ts'

const exceeds = (measured: number | null | undefined, limit: number | null): boolean =>
  measured != null && limit !== null && measured > limit

const highest = (percents: number[]): number => Math.max(0, ...percents)

/**
 * Derives all stored values of a measurement from its station and the limits in force (docs/domain.md). Overloads are
 * null without weights, or with the basis 'minimum' without an accuracy class.
 */
export const derive = (
  measurement: Measurement,
  station: Station,
  limits: LegalLimits,
  basis: OverloadBasis = 'minimum',
): DerivedVehicle => {
  const measured = measurement.axles ?? []
  const speed = measurement.speed ?? null
  const vehicle: VehicleForLimits = { kind: kindOf(measurement.ctg8p1, measurement.ctg323), gaps: gapsOf(measured) }
  const lane = station.lanes.find(({ laneNumber }) => laneNumber === measurement.laneNumber)
  const accuracyClass = lane?.accuracyClass ?? null

  const { axles, groups } = deriveAxles(measured, vehicle, limits, accuracyClass, basis)
  const isWeighed = axles.some((axle) => axle.leftWeight !== null || axle.rightWeight !== null)
  const totalLoad = isWeighed ? axles.reduce((sum, axle) => sum + axle.totalLoad, 0) : null

  const limitTotalLoad = grossLimit(limits, vehicle)
  const limitHeight = heightLimit(limits, vehicle)
  const speedLimit = speedLimitOf(limits, vehicle.kind, station)

  const isEvaluated = totalLoad !== null && (basis === 'measured' || accuracyClass !== null)
  const overloadSA = isEvaluated ? highest(axles.map((axle) => axle.overload)) : null
  const overloadMA = isEvaluated
    ? highest(groups.filter((group) => group.axles.length > 1).map((group) => group.overload))
    : null
  const overloadTL = isEvaluated
    ? overloadPercent(totalLoad, limitTotalLoad, accuracyClass && tolerances[accuracyClass].gross, basis)
    : null

  return {
    id: vehicleId(station.id, measurement.sequence),
    plateLpr: normalisePlate(measurement.plateLpr),
    ctg8p1: storedCtg8p1(measurement.ctg8p1),
    ctg323: measurement.ctg323 || null,
    totalLoad,
    limitTotalLoad,
    numberOfAxles: axles.length || null,
    axles,
    groups,
    accuracyClass,
    overloadSA,
    overloadMA,
    overloadTL,
    speedLimit,
    limitHeight,
    limitLength: lengthLimit(limits, vehicle),
    violations: toBits({
      overload: highest([overloadSA ?? 0, overloadMA ?? 0, overloadTL ?? 0]) > 0,
      overheight: exceeds(measurement.vehHeight, limitHeight),
      overspeed: exceeds(speed, speedLimit),
      overlane: measurement.overlane,
      wrongDirection: measurement.wrongDirection,
    }),
    checkpointTime: arrivalTime(measurement, station.distanceToCheckpoint),
    plateVmsReadablePointAt: arrivalTime(measurement, station.distanceToSign),
    speedRange: speedRange(speed),
    overspeedRange: overspeedRange(speed, speedLimit),
  }
}
