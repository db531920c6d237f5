import { GROUP_GAP_CM } from './axleGroups.ts'
import type { VehicleKind } from './kind.ts'

/** A vehicle for legal limits. `gaps[i]`: cm from axle i + 1 to the previous one, 0 for the first; empty: unknown. */
export type VehicleForLimits = { kind: VehicleKind; gaps: readonly number[] }

export type VehiclePart = 'motor' | 'trailer'

const WITH_TRAILER: readonly VehicleKind[] = ['carWithTrailer', 'roadTrain', 'articulated']

/**
 * Number of the first axle of the trailer or semi-trailer, null without one. A motor vehicle has at least two axles;
 * the trailer starts after the widest spacing behind the second (docs/domain.md).
 */
export const firstTrailerAxle = ({ kind, gaps }: VehicleForLimits): number | null => {
  if (!WITH_TRAILER.includes(kind) || gaps.length < 3) return null
  const behindSecond = gaps.slice(2)
  return behindSecond.indexOf(Math.max(...behindSecond)) + 3
}

/** Parts of the vehicle that the axles may belong to. Both if it is not classified or the axles are on both sides. */
export const partsOf = (vehicle: VehicleForLimits, axles: readonly number[]): VehiclePart[] => {
  if (vehicle.kind === 'unclassified') return ['motor', 'trailer']
  const trailer = firstTrailerAxle(vehicle)
  if (trailer === null || axles.every((axle) => axle < trailer)) return ['motor']
  return axles.every((axle) => axle >= trailer) ? ['trailer'] : ['motor', 'trailer']
}

/** A bus whose third axle is not in a tandem with the second is articulated. */
export const isArticulatedBus = ({ kind, gaps }: VehicleForLimits): boolean =>
  kind === 'bus' && (gaps[2] ?? 0) > GROUP_GAP_CM

/**
 * Whether the axle may be a drive axle, which the scale cannot detect; in doubt, in favour of the driver
 * (docs/domain.md): the second axle; in motor vehicles of four or more axles those behind the two steered ones; in
 * articulated buses and unclassified vehicles any but the first.
 */
export const isDrivingAxle = (vehicle: VehicleForLimits, axle: number): boolean => {
  const trailer = firstTrailerAxle(vehicle)
  if (axle < 2 || (trailer !== null && axle >= trailer)) return false
  if (vehicle.kind === 'unclassified' || isArticulatedBus(vehicle)) return true
  const motorAxles = trailer === null ? vehicle.gaps.length : trailer - 1
  return motorAxles >= 4 ? axle >= 3 : axle === 2
}

/** Widest axle spacing within the trailer, cm; null with fewer than two axles. */
export const widestTrailerGap = (vehicle: VehicleForLimits): number | null => {
  const trailer = firstTrailerAxle(vehicle)
  if (trailer === null || trailer >= vehicle.gaps.length) return null
  return Math.max(...vehicle.gaps.slice(trailer))
}
