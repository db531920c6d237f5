import type { Vehicle } from '@rogatka/contract/vehicle.ts'

/** What stays of a plate: enough to tell a region, not a vehicle. */
const SHOWN = 2

/** A plate masked but for its first two characters. */
export const maskPlate = (plate: string): string =>
  plate.slice(0, SHOWN) + '*'.repeat(Math.max(0, plate.length - SHOWN))

/** The vehicle as somebody sees it who may not know whose it is: the plate masked, the catalogue number left out. */
export const anonymise = (vehicle: Vehicle): Vehicle => ({
  ...vehicle,
  plateLpr: vehicle.plateLpr && maskPlate(vehicle.plateLpr),
  ...(vehicle.euro && { euro: { ...vehicle.euro, catalogue_number: null } }),
})
