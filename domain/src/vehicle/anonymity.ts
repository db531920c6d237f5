import type { Vehicle } from '@rogatka/contract/vehicle.ts'

/** What stays of a plate: enough to tell a region, not a vehicle. */
const SHOWN = 2

/** A plate masked but for its first two characters. */
export const maskPlate = (plate: string): string =>
  plate.slice(0, SHOWN) + '*'.repeat(Math.max(0, plate.length - SHOWN))

/** What the log of changes keeps, with every plate in it masked. */
export function anonymiseRecord(record: unknown): unknown {
  if (Array.isArray(record)) return record.map(anonymiseRecord)
  if (typeof record !== 'object' || record === null) return record
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      key === 'plateLpr' && typeof value === 'string' ? maskPlate(value) : anonymiseRecord(value),
    ]),
  )
}

/** The vehicle as somebody sees it who may not know whose it is: the plate masked, the catalogue number left out. */
export const anonymise = (vehicle: Vehicle): Vehicle => ({
  ...vehicle,
  plateLpr: vehicle.plateLpr && maskPlate(vehicle.plateLpr),
  ...(vehicle.euro && { euro: { ...vehicle.euro, catalogue_number: null } }),
})
