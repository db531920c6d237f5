import {
  isArticulatedBus,
  isDrivingAxle,
  partsOf,
  type VehicleForLimits,
  type VehiclePart,
  widestTrailerGap,
} from './axleRoles.ts'
import type { VehicleKind } from './kind.ts'

/** From min to max, both included; an absent end is open. */
type MinMax = { min?: number; max?: number }

/** Applies when everything it names holds. In a list the first rule that applies decides; its null means no limit. */
type VehicleRule = {
  kinds?: VehicleKind[]
  axles?: MinMax
  articulatedBus?: boolean
  /** cm between the axles of the trailer, the widest */
  trailerGap?: MinMax
  limit: number | null
}

type GroupRule = {
  part: VehiclePart
  axles: number
  /** cm between neighbouring axles of the group, the widest */
  gap: MinMax
  limit: number
}

/**
 * The legal limits as one document: kept in the database with the date from which it holds, and replaceable
 * for a station. Loads in kg, lengths in cm, speeds in km/h. The Polish one is limits-pl.json; docs/domain.md
 * has its sources.
 */
export type LegalLimits = {
  source: string
  height: VehicleRule[]
  length: VehicleRule[]
  gross: VehicleRule[]
  axle: { driving: number; nonDriving: number }
  group: GroupRule[]
  speed: {
    /** Kinds held to the station's limit for heavy vehicles. */
    heavyKinds: VehicleKind[]
    /** Where the station's general limit is at least `roadsFrom`, buses have this one; null: never. */
    bus: { roadsFrom: number; limit: number } | null
  }
}

const within = (value: number, { min, max }: MinMax): boolean =>
  value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY)

const applies = (rule: VehicleRule, vehicle: VehicleForLimits): boolean => {
  const axles = vehicle.gaps.length
  const trailerGap = widestTrailerGap(vehicle)
  return (
    (!rule.kinds || rule.kinds.includes(vehicle.kind)) &&
    (!rule.axles || (axles > 0 && within(axles, rule.axles))) &&
    (rule.articulatedBus === undefined || rule.articulatedBus === isArticulatedBus(vehicle)) &&
    (!rule.trailerGap || (trailerGap !== null && within(trailerGap, rule.trailerGap)))
  )
}

const decide = (rules: readonly VehicleRule[], vehicle: VehicleForLimits): number | null =>
  rules.find((rule) => applies(rule, vehicle))?.limit ?? null

/** Gross weight, kg; null when there is nothing to judge by. */
export const grossLimit = (limits: LegalLimits, vehicle: VehicleForLimits): number | null =>
  decide(limits.gross, vehicle)

/** Height, cm. */
export const heightLimit = (limits: LegalLimits, vehicle: VehicleForLimits): number | null =>
  decide(limits.height, vehicle)

/** Length, cm. */
export const lengthLimit = (limits: LegalLimits, vehicle: VehicleForLimits): number | null =>
  decide(limits.length, vehicle)

/**
 * Load of axles that are judged together, kg; null where the law sets none for such a group. With unequal gaps
 * the widest decides, and where the group may belong to either part the milder limit: the doubt is the driver's.
 */
export const groupLimit = (limits: LegalLimits, vehicle: VehicleForLimits, axles: readonly number[]): number | null => {
  if (axles.length < 2) return null
  const gap = Math.max(...axles.slice(1).map((axle) => vehicle.gaps[axle - 1] ?? 0))
  const found = partsOf(vehicle, axles).flatMap(
    (part) =>
      limits.group.find((rule) => rule.part === part && rule.axles === axles.length && within(gap, rule.gap))?.limit ??
      [],
  )
  return found.length > 0 ? Math.max(...found) : null
}

/** Load of one axle, kg, within its group; null when the group is judged as a whole. */
export const axleLimit = (
  limits: LegalLimits,
  vehicle: VehicleForLimits,
  axle: number,
  group: readonly number[],
): number | null => {
  if (groupLimit(limits, vehicle, group) !== null) return null
  return isDrivingAxle(vehicle, axle) ? limits.axle.driving : limits.axle.nonDriving
}
