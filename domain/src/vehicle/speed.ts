import type { VehicleKind } from './kind.ts'
import type { LegalLimits } from './limits.ts'

type Road = { speedLimit: number | null; speedLimitHeavy: number | null }

/**
 * Speed limit of a kind of vehicle at the station, km/h; null without one. Heavy kinds fall back to the general limit.
 */
export const speedLimitOf = (limits: LegalLimits, kind: VehicleKind, road: Road): number | null => {
  const { heavyKinds, bus } = limits.speed
  if (kind === 'bus' && bus && road.speedLimit !== null && road.speedLimit >= bus.roadsFrom) return bus.limit
  return heavyKinds.includes(kind) ? (road.speedLimitHeavy ?? road.speedLimit) : road.speedLimit
}
