import type { Division } from '@rogatka/contract/options.ts'
import { categories, type Violation, violations } from '@rogatka/contract/vehicle.ts'
import { fromBits } from '../vehicle/violations.ts'
import { OVERSPEED_RANGES, SPEED_RANGES } from './ranges.ts'

/** Series of vehicles without a measured speed. */
export const UNKNOWN = 'unknown'

/** Filters that determine the series, whether or not they have vehicles. */
export type SeriesSelection = {
  /** Selected lane numbers of the location. */
  lanes: readonly number[]
  categories: readonly string[]
  violations: readonly Violation[]
}

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => String(first + i))

/** Series of a grouping in order, before those that occur only in the data. */
export function seriesOf(division: Division, selection: SeriesSelection): string[] {
  switch (division) {
    case 'lane':
      return selection.lanes.map(String)
    case 'category':
      return categories.filter(
        (category) => selection.categories.length === 0 || selection.categories.includes(category),
      )
    case 'violation':
      return violations.filter(
        (violation) => selection.violations.length === 0 || selection.violations.includes(violation),
      )
    case 'speedRange':
      return numbers(1, SPEED_RANGES)
    case 'overSpeed':
      return numbers(0, OVERSPEED_RANGES)
  }
}

/**
 * Series of a vehicle by the database's grouping key: lane, category (0: lack), violations as bits, or range. Only
 * violations may give several series.
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
