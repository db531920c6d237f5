import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { skeletonOf } from './lookalikes.ts'
import { normalisePlate } from './plate.ts'

/** What stays of a plate: enough to tell a region, not a vehicle. */
const SHOWN = 2

/** A plate masked but for its first two characters. */
export const maskPlate = (plate: string): string =>
  plate.slice(0, SHOWN) + '*'.repeat(Math.max(0, plate.length - SHOWN))

/**
 * A text with a plate in it masked, whatever its writer put between the characters (anything but letters and digits) and
 * however they are written: accented, full-width, of another alphabet, or mistaken for each other (0 and O).
 */
export const maskPlateIn = (text: string, plate: string): string => {
  const sought = skeletonOf(plate).text
  if (sought.length <= SHOWN) return text
  const shown = [...plate.slice(0, SHOWN)].filter((sign) => /[\p{L}\p{N}]/u.test(sign)).join('')
  const mask = shown + '*'.repeat(sought.length - shown.length)
  const { text: read, from, until } = skeletonOf(text)
  let [masked, done] = ['', 0]
  for (let at = read.indexOf(sought); at >= 0; at = read.indexOf(sought, at + sought.length)) {
    masked += text.slice(done, from[at]) + mask
    done = until[at + sought.length - 1] as number
  }
  return masked + text.slice(done)
}

/** Under these names a record has a plate, or part of one that somebody looked for. */
const PLATE_NAMES = new Set(['plateLpr', 'search'])

/** The plates that a record of the log of changes names. */
export function platesIn(record: unknown): string[] {
  if (typeof record !== 'object' || record === null) return []
  return Object.entries(record).flatMap(([name, value]) =>
    PLATE_NAMES.has(name) && typeof value === 'string' ? (normalisePlate(value) ?? []) : platesIn(value),
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
