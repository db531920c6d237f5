import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { skeletonOf } from './lookalikes.ts'
import { normalisePlate } from './plate.ts'

/** Visible prefix of a masked plate: identifies a region, not a vehicle. */
const SHOWN = 2

/** Masks a plate except its first two characters. */
export const maskPlate = (plate: string): string =>
  plate.slice(0, SHOWN) + '*'.repeat(Math.max(0, plate.length - SHOWN))

/**
 * Masks a plate within a text, whatever separators and look-alike characters it is written with: accented, full-width,
 * of another alphabet, or confused (0 and O).
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

/** Field names that contain a plate or a plate search. */
const PLATE_NAMES = new Set(['plateLpr', 'search'])

/** Plates in an audit record. */
export function platesIn(record: unknown): string[] {
  if (typeof record !== 'object' || record === null) return []
  return Object.entries(record).flatMap(([name, value]) =>
    PLATE_NAMES.has(name) && typeof value === 'string' ? (normalisePlate(value) ?? []) : platesIn(value),
  )
}

/** Masks these plates in all texts of a record. */
export function anonymiseRecord(record: unknown, plates: readonly string[]): unknown {
  if (typeof record === 'string') return plates.reduce(maskPlateIn, record)
  if (Array.isArray(record)) return record.map((one) => anonymiseRecord(one, plates))
  if (typeof record !== 'object' || record === null) return record
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, anonymiseRecord(value, plates)]))
}

/** Fields of a vehicle that could identify it. */
type Telling = Pick<Vehicle, 'plateLpr'> & Partial<Pick<Vehicle, 'euro'>>

/** Anonymises a vehicle: masks the plate, removes the catalogue number. */
export const anonymise = <V extends Telling>(vehicle: V): V => ({
  ...vehicle,
  plateLpr: vehicle.plateLpr && maskPlate(vehicle.plateLpr),
  ...(vehicle.euro && { euro: { ...vehicle.euro, catalogue_number: null } }),
})
