import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { normalisePlate } from './plate.ts'

/** What stays of a plate: enough to tell a region, not a vehicle. */
const SHOWN = 2

/** A plate masked but for its first two characters. */
export const maskPlate = (plate: string): string =>
  plate.slice(0, SHOWN) + '*'.repeat(Math.max(0, plate.length - SHOWN))

/** A text with a plate in it masked, however its writer spaced it. */
export const maskPlateIn = (text: string, plate: string): string => {
  if (plate.length <= SHOWN) return text
  const spaced = [...plate].map((sign) => sign.replace(/[^\p{L}\p{N}]/u, '\\$&')).join('[\\s\\p{Pd}]*')
  return text.replace(new RegExp(spaced, 'giu'), maskPlate(plate))
}

/** The plates that a record of the log of changes names. */
export function platesIn(record: unknown): string[] {
  if (typeof record !== 'object' || record === null) return []
  return Object.entries(record).flatMap(([name, value]) =>
    name === 'plateLpr' && typeof value === 'string' ? (normalisePlate(value) ?? []) : platesIn(value),
  )
}

/** A record with these plates masked in all of its texts. */
export function anonymiseRecord(record: unknown, plates: readonly string[]): unknown {
  if (typeof record === 'string') return plates.reduce(maskPlateIn, record)
  if (Array.isArray(record)) return record.map((one) => anonymiseRecord(one, plates))
  if (typeof record !== 'object' || record === null) return record
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, anonymiseRecord(value, plates)]))
}

/** What of a vehicle may tell whose it is. */
type Telling = Pick<Vehicle, 'plateLpr'> & Partial<Pick<Vehicle, 'euro'>>

/** The vehicle as somebody sees it who may not know whose it is: the plate masked, the catalogue number left out. */
export const anonymise = <V extends Telling>(vehicle: V): V => ({
  ...vehicle,
  plateLpr: vehicle.plateLpr && maskPlate(vehicle.plateLpr),
  ...(vehicle.euro && { euro: { ...vehicle.euro, catalogue_number: null } }),
})
