import {
  isArticulatedBus,
  isDrivingAxle,
  partsOf,
  type VehicleForLimits,
  type VehiclePart,
  widestTrailerGap,
} from './axleRoles.ts'
import type { VehicleKind } from './kind.ts'

/** Inclusive bounds; absent: unbounded. */
type MinMax = { min?: number | undefined; max?: number | undefined }

/** Applies if all its conditions hold. The first applicable rule of a list decides; null means no limit. */
type VehicleRule = {
  kinds?: VehicleKind[] | undefined
  axles?: MinMax | undefined
  articulatedBus?: boolean | undefined
  /** cm between the axles of the trailer, the widest */
  trailerGap?: MinMax | undefined
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
 * Legal limits as a document, stored with the date from which it applies, and replaceable per station. Loads in kg,
 * lengths in cm, speeds in km/h. The Polish one is limits-pl.json; sources in docs/domain.md.
 */
export type LegalLimits = {
  source: string
  height: VehicleRule[]
  length: VehicleRule[]
  gross: VehicleRule[]
  axle: { driving: number; nonDriving: number }
  group: GroupRule[]
  speed: {
    /** Kinds that use the station's limit for heavy vehicles. */
    heavyKinds: VehicleKind[]
    /** Limit of buses where the station's general limit is at least `roadsFrom`; null: never. */
    bus: { roadsFrom: number; limit: number } | null
  }
}

/** The highest limit of a gross weight, null without one, and those of single axles, kg. */
export type HighestLimits = { gross: number | null; drivingAxle: number; otherAxle: number }

/** The part of the law about loads. */
export type LoadLimits = Pick<LegalLimits, 'gross' | 'axle' | 'group'>

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

/** Gross weight, kg; null without a limit. */
export const grossLimit = (limits: LoadLimits, vehicle: VehicleForLimits): number | null =>
  decide(limits.gross, vehicle)

export function highestLimits({ gross, axle }: LoadLimits): HighestLimits {
  const limits = gross.flatMap(({ limit }) => limit ?? [])
  return {
    gross: limits.length > 0 ? Math.max(...limits) : null,
    drivingAxle: axle.driving,
    otherAxle: axle.nonDriving,
  }
}

/** Height, cm. */
export const heightLimit = (limits: LegalLimits, vehicle: VehicleForLimits): number | null =>
  decide(limits.height, vehicle)

/** Length, cm. */
export const lengthLimit = (limits: LegalLimits, vehicle: VehicleForLimits): number | null =>
  decide(limits.length, vehicle)

/**
 * Limit of an axle group, kg; null if the law has none. With unequal spacings the widest decides; if the group may
 * belong to either part, the higher limit applies, in favour of the driver.
 */
export const groupLimit = (limits: LoadLimits, vehicle: VehicleForLimits, axles: readonly number[]): number | null => {
  if (axles.length < 2) return null
  const gap = Math.max(...axles.slice(1).map((axle) => vehicle.gaps[axle - 1] ?? 0))
  const found = partsOf(vehicle, axles).flatMap(
    (part) =>
      limits.group.find((rule) => rule.part === part && rule.axles === axles.length && within(gap, rule.gap))?.limit ??
      [],
  )
  return found.length > 0 ? Math.max(...found) : null
}

/** Limit of one axle within its group, kg; null if only the group has a limit. */
export const axleLimit = (
  limits: LoadLimits,
  vehicle: VehicleForLimits,
  axle: number,
  group: readonly number[],
): number | null => {
  if (groupLimit(limits, vehicle, group) !== null) return null
  return isDrivingAxle(vehicle, axle) ? limits.axle.driving : limits.axle.nonDriving
}
