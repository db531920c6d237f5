import type { Division } from '@rogatka/contract/statistics.ts'
import { categories, type Violation, violations } from '@rogatka/contract/vehicle.ts'
import { fromBits } from '../vehicle/violations.ts'
import { OVERSPEED_RANGES, SPEED_RANGES } from './ranges.ts'

/** Vehicles whose speed nobody measured, in the division by speed. */
export const UNKNOWN = 'unknown'

/** What was chosen and what there is: it decides which series stand, whether or not a vehicle came. */
export type SeriesSelection = {
  /** Numbers of the location's lanes that were chosen. */
  lanes: readonly number[]
  categories: readonly string[]
  violations: readonly Violation[]
}

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => String(first + i))

/** The series of a division in their order, before any that only the vehicles bring. */
export function seriesOf(division: Division, chosen: SeriesSelection): string[] {
  switch (division) {
    case 'lane':
      return chosen.lanes.map(String)
    case 'category':
      return categories.filter((category) => chosen.categories.length === 0 || chosen.categories.includes(category))
    case 'violation':
      return violations.filter((violation) => chosen.violations.length === 0 || chosen.violations.includes(violation))
    case 'speedRange':
      return numbers(1, SPEED_RANGES)
    case 'overSpeed':
      return numbers(0, OVERSPEED_RANGES)
  }
}

/**
 * The series in which a vehicle counts, by the number that the database divides by: a lane, a category (0: lack), a set
 * of violations as bits, or a range. Only by violation may a vehicle count in several.
 */
export function seriesOfKey(division: Division, key: number): string[] {
  switch (division) {
    case 'category':
      return [key === 0 ? 'lack' : String(key)]
    case 'violation': {
      const flags = fromBits(key)
      return violations.filter((violation) => flags[violation])
    }
    case 'speedRange':
      return [key === 0 ? UNKNOWN : String(key)]
    default:
      return [String(key)]
  }
}
