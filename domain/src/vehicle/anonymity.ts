import type { Vehicle } from '@rogatka/contract/vehicle.ts'
import { skeletonOf } from './lookalikes.ts'
import { maskPlates, normalisePlate } from './plate.ts'

/** Visible prefix of a masked plate: identifies a region, not a vehicle. */
const VISIBLE_PREFIX = 2

/** Masks a plate except its first two characters. */
export const maskPlate = (plate: string): string =>
  plate.slice(0, VISIBLE_PREFIX) + '*'.repeat(Math.max(0, plate.length - VISIBLE_PREFIX))

/**
 * Masks a plate within a text, whatever separators and look-alike characters it is written with: accented, full-width,
 * of another alphabet, or confused (0 and O).
 */
export const maskPlateIn = (text: string, plate: string): string => {
  const target = skeletonOf(plate).text
  if (target.length <= VISIBLE_PREFIX) return text
  const prefix = [...plate.slice(0, VISIBLE_PREFIX)].filter((character) => /[\p{L}\p{N}]/u.test(character)).join('')
  const mask = prefix + '*'.repeat(target.length - prefix.length)
  const { text: skeleton, from, until } = skeletonOf(text)
  let [masked, done] = ['', 0]
  for (let at = skeleton.indexOf(target); at >= 0; at = skeleton.indexOf(target, at + target.length)) {
    masked += text.slice(done, from[at]) + mask
    done = until[at + target.length - 1] as number
  }
  return masked + text.slice(done)
}

/** Field names that contain a plate or a plate search. */
const PLATE_NAMES = new Set(['plateLpr', 'plates', 'search'])

/** Field names of what somebody wrote about driver, carrier or vehicle. */
const PERSONAL_NAMES = new Set(['carrier', 'taxId', 'declaration', 'note', 'explanation', 'reason'])

/** Plates in an audit record. */
export function platesIn(record: unknown): string[] {
  if (typeof record !== 'object' || record === null) return []
  return Object.entries(record).flatMap(([name, value]) => {
    const texts = PLATE_NAMES.has(name) ? [value].flat().filter((one) => typeof one === 'string') : []
    return texts.length > 0 ? texts.flatMap((text) => normalisePlate(text) ?? []) : platesIn(value)
  })
}

/** The record without its fields of plates and searches for them, at any depth. */
export function withoutPlates(record: unknown): unknown {
  if (Array.isArray(record)) return record.map(withoutPlates)
  if (typeof record !== 'object' || record === null) return record
  // A field `search` of other criteria is a record itself.
  const others = Object.entries(record).filter(
    ([name, value]) => !PLATE_NAMES.has(name) || [value].flat().every((one) => typeof one === 'object' && one !== null),
  )
  return Object.fromEntries(others.map(([name, value]) => [name, withoutPlates(value)]))
}

/** Masks these plates, and others of Polish form, in all texts of a record, and removes what identifies driver or carrier. */
export function anonymiseRecord(record: unknown, plates: readonly string[]): unknown {
  if (typeof record === 'string') return maskPlates(plates.reduce(maskPlateIn, record))
  if (Array.isArray(record)) return record.map((one) => anonymiseRecord(one, plates))
  if (typeof record !== 'object' || record === null) return record
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      PERSONAL_NAMES.has(name) ? null : anonymiseRecord(value, plates),
    ]),
  )
}

/** Fields of a vehicle that could identify it. */
type IdentifyingFields = Pick<Vehicle, 'plateLpr'> & Partial<Pick<Vehicle, 'euro' | 'inspection' | 'weighing'>>

/**
 * Anonymises a vehicle: masks the plate, removes the catalogue number, and of its inspection all but the state: papers
 * bear its number and weights.
 */
export const anonymise = <V extends IdentifyingFields>(vehicle: V): V => ({
  ...vehicle,
  plateLpr: vehicle.plateLpr && maskPlate(vehicle.plateLpr),
  ...(vehicle.euro && { euro: { ...vehicle.euro, catalogue_number: null } }),
  ...(vehicle.weighing && { weighing: undefined }),
  ...(vehicle.inspection && { inspection: { id: null, number: null, state: vehicle.inspection.state } }),
})
