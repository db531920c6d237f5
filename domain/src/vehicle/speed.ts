import type { VehicleKind } from './kind.ts'
import type { LegalLimits } from './limits.ts'

type Road = { speedLimit: number | null; speedLimitHeavy: number | null }

/**
 * The speed limit of a vehicle of this kind on the station's road, km/h; null when the station has none.
 * A heavy kind falls back on the general limit where the station has none for heavy vehicles.
 */
export const speedLimitOf = (limits: LegalLimits, kind: VehicleKind, road: Road): number | null => {
  const { heavyKinds, bus } = limits.speed
  if (kind === 'bus' && bus && road.speedLimit !== null && road.speedLimit >= bus.roadsFrom) return bus.limit
  return heavyKinds.includes(kind) ? (road.speedLimitHeavy ?? road.speedLimit) : road.speedLimit
}
