import { GROUP_GAP_CM } from './axleGroups.ts'
import type { VehicleKind } from './kind.ts'

/** A vehicle as the law sees it. `gaps[i]`: cm from axle i + 1 to the axle before it, 0 for the first; empty: axles unknown. */
export type VehicleForLimits = { kind: VehicleKind; gaps: readonly number[] }

export type VehiclePart = 'motor' | 'trailer'

const WITH_TRAILER: readonly VehicleKind[] = ['carWithTrailer', 'roadTrain', 'articulated']

/**
 * The number of the first axle of the trailer or semi-trailer, null when there is none. A motor vehicle has
 * at least two axles; the trailer begins after the widest gap behind the second (docs/domain.md).
 */
export const firstTrailerAxle = ({ kind, gaps }: VehicleForLimits): number | null => {
  if (!WITH_TRAILER.includes(kind) || gaps.length < 3) return null
  const behindSecond = gaps.slice(2)
  return behindSecond.indexOf(Math.max(...behindSecond)) + 3
}

/** The parts that the axles may belong to. Both, when the vehicle is not classified or its axles lie on both sides. */
export const partsOf = (vehicle: VehicleForLimits, axles: readonly number[]): VehiclePart[] => {
  if (vehicle.kind === 'unclassified') return ['motor', 'trailer']
  const trailer = firstTrailerAxle(vehicle)
  if (trailer === null || axles.every((axle) => axle < trailer)) return ['motor']
  return axles.every((axle) => axle >= trailer) ? ['trailer'] : ['motor', 'trailer']
}

/** A bus whose third axle is no tandem with its second bends in between. */
export const isArticulatedBus = ({ kind, gaps }: VehicleForLimits): boolean =>
  kind === 'bus' && (gaps[2] ?? 0) > GROUP_GAP_CM

/**
 * Whether the axle may be a driving one. The scale does not see the drive, so where the layout leaves it open
 * the doubt is the driver's (docs/domain.md): the second axle; in a motor vehicle of four or more axles those
 * behind the two steered ones; in an articulated bus and an unclassified vehicle any but the first.
 */
export const isDrivingAxle = (vehicle: VehicleForLimits, axle: number): boolean => {
  const trailer = firstTrailerAxle(vehicle)
  if (axle < 2 || (trailer !== null && axle >= trailer)) return false
  if (vehicle.kind === 'unclassified' || isArticulatedBus(vehicle)) return true
  const motorAxles = trailer === null ? vehicle.gaps.length : trailer - 1
  return motorAxles >= 4 ? axle >= 3 : axle === 2
}

/** The widest gap between axles of the trailer, cm; null with fewer than two of them. */
export const widestTrailerGap = (vehicle: VehicleForLimits): number | null => {
  const trailer = firstTrailerAxle(vehicle)
  if (trailer === null || trailer >= vehicle.gaps.length) return null
  return Math.max(...vehicle.gaps.slice(trailer))
}
