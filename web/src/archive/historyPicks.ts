import type { WireVehicle } from '@rogatka/contract/vehicle.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'

export const sides = ['A', 'B'] as const
export type Side = (typeof sides)[number]
/** The compared detections; undefined: none is picked. */
export type Picks = Partial<Record<Side, WireVehicle | undefined>>

/** The side on which the detection is; null if it is not compared. */
export const sideOf = (picks: Picks, vehicle: WireVehicle): Side | null =>
  sides.find((side) => {
    const picked = picks[side]
    return picked !== undefined && vehicleKey(picked) === vehicleKey(vehicle)
  }) ?? null

/** Picks A, then B; a third replaces B. A picked one is removed. */
export function pick(picks: Picks, vehicle: WireVehicle): Picks {
  const side = sideOf(picks, vehicle)
  if (side) return { ...picks, [side]: undefined }
  return picks.A ? { ...picks, B: vehicle } : { ...picks, A: vehicle }
}
