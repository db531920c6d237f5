import { MAX_NATIONALITIES } from '@rogatka/contract/options.ts'
import type { TimeClassCountry } from '@rogatka/contract/vehicle.ts'
import { queryInts } from '@rogatka/contract/wire.ts'

/**
 * Filters of past vehicles in the URL: hours of the day in Poland, weekdays from 0, Monday, COST 323 classes, 0 for none,
 * countries, `-` for none.
 */
export type TimeClassCountryFilters = { [key in keyof TimeClassCountry]?: TimeClassCountry[key] | undefined }

/** Parses the filters of a URL; malformed values are ignored, so that links never fail. */
export const readTimeClassCountry = (search: Record<string, unknown>): TimeClassCountryFilters => ({
  hours: numbersIn(search.hours, 0, 23),
  weekdays: numbersIn(search.weekdays, 0, 6),
  ctg323: numbersIn(search.ctg323, 0, 8),
  nationalities: nationalitiesIn(search.nationalities),
})

/** Different numbers within bounds, in order; undefined without any. */
function numbersIn(value: unknown, min: number, max: number): number[] | undefined {
  const { data = [] } = queryInts.safeParse(Array.isArray(value) ? value.join() : value)
  const valid = [...new Set(data)].filter((number) => number >= min && number <= max).sort((a, b) => a - b)
  return valid.length > 0 ? valid : undefined
}

/** Country codes in capitals, `-` for none, separated by commas or spaces. */
export function nationalitiesIn(value: unknown): string[] | undefined {
  const codes = String(value ?? '')
    .toUpperCase()
    .split(/[\s,;]+/)
  const valid = [...new Set(codes)].filter((code) => /^([A-Z]{1,3}|-)$/.test(code)).slice(0, MAX_NATIONALITIES)
  return valid.length > 0 ? valid : undefined
}
