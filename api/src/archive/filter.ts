import type { ArchiveFilters } from '@rogatka/contract/archive.ts'
import { type SortColumn, violations } from '@rogatka/contract/vehicle.ts'
import { type RangeField, rangeFields, type SortDirection } from '@rogatka/contract/wire.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { normalisePlate } from '@rogatka/domain/vehicle/plate.ts'
import { readingText, splitReading } from '@rogatka/domain/vehicle/reading.ts'
import { bitsOf } from '@rogatka/domain/vehicle/violations.ts'
import type { UnderivedDay } from './derived/queries.ts'
import type { IntervalMs } from './intervals.ts'

/**
 * `similarity` in percent; 0: matches the pattern, with wildcards `*` and `?`. Or exactly one of several plates, or readings
 * with or without a nationality.
 */
type PlateFilter = { pattern: string; similarity: number } | { plates: string[] } | { readings: string[] }
/** In the units of the column: overloads in tenths of a percent. */
export type Bound = { field: RangeField; min: number | null; max: number | null }
export type Sort = { column: SortColumn; direction: SortDirection }

/** A search in database terms; an empty list is no condition. [from, to). */
export type Filter = {
  from: Date
  to: Date
  locations: number[]
  lanes: number[]
  /** As stored: 0 and 6 are unclassified. */
  categories: number[]
  /** The violation sets that contain any of the selected violations. */
  violationSets: number[]
  bounds: Bound[]
  plate: PlateFilter | null
  /** Polish time; 0 Monday. */
  hours: number[]
  weekdays: number[]
  /** 0: not classified. */
  costClasses: number[]
  /** As sent; '-': none. */
  nationalities: string[]
  /** Only vehicles tagged by this user; null: all. */
  taggedBy: number | null
}

export function filterOf(query: ArchiveFilters, userId: number): Filter {
  const requested = bitsOf(query)
  return {
    from: query.dateTimeStart,
    to: query.dateTimeEnd,
    locations: validIds(query.locations),
    lanes: validIds(query.laneNumbers ?? []),
    categories: distinct((query.ctg8p1 ?? []).flatMap((category) => (category === 'lack' ? [0, 6] : Number(category)))),
    violationSets: Array.from({ length: 2 ** violations.length }, (_, set) => set).filter((set) => set & requested),
    bounds: rangeFields.flatMap((field) => boundOf(field, query[`min${field}`], query[`max${field}`])),
    plate: platesOf(query.plates) ?? plateOf(query.plateLpr, query.similarity),
    hours: distinct(query.hours ?? []),
    weekdays: distinct(query.weekdays ?? []),
    costClasses: distinct(query.ctg323 ?? []),
    nationalities: [...new Set(query.nationalities ?? [])].filter((text) => text !== '').sort(),
    taggedBy: query.taggedOnly ? userId : null,
  }
}

/** Whether the hourly roll-up can answer the filter: its hours are whole ones in Poland, too. */
export const isCoveredByHours = ({ bounds, plate, taggedBy, costClasses, nationalities }: Filter): boolean =>
  [bounds, costClasses, nationalities].every(({ length }) => length === 0) && plate === null && taggedBy === null

/** Whether the daily roll-up can answer the filter, too. */
export const isCoveredByRollUps = (filter: Filter): boolean =>
  isCoveredByHours(filter) && filter.hours.length === 0 && filter.weekdays.length === 0

export const intervalOf = ({ from, to }: Filter): IntervalMs => ({ from: from.getTime(), to: to.getTime() })

/** Whether not all vehicles that roll-ups count in an interval may be visible. */
export const isUnsettled = (filter: Filter, { from, to }: IntervalMs, underived: readonly UnderivedDay[]): boolean =>
  underived.some(
    ({ isSettled, locationId, day }) =>
      !isSettled && day < to && day + DAY_MS > from && filter.locations.includes(locationId),
  )

/** Sorts a search by time, oldest first. */
export const IN_ORDER_OF_TIME = {
  orderByColumnName1: 'createdAt',
  orderDirection1: 'asc',
  orderByColumnName2: undefined,
  orderByColumnName3: undefined,
} as const

/** The sort columns without duplicates. */
export function sortsOf(query: ArchiveFilters): Sort[] {
  const requested = [
    { column: query.orderByColumnName1, direction: query.orderDirection1 },
    { column: query.orderByColumnName2, direction: query.orderDirection2 },
    { column: query.orderByColumnName3, direction: query.orderDirection3 },
  ].filter((sort): sort is Sort => sort.column !== undefined)
  const sorts = requested.filter(
    ({ column }, index) => requested.findIndex((other) => other.column === column) === index,
  )
  return sorts.length > 0 ? sorts : [{ column: 'createdAt', direction: query.orderDirection1 }]
}

const distinct = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b)

/** Ids out of range become -1, which matches nothing and fits every column. */
const validIds = (numbers: readonly number[]) => distinct(numbers.map((one) => (one >= 1 && one <= 8_191 ? one : -1)))

const MAX_INT = 2 ** 31 - 1
const clampToInt = (value: number) => Math.max(-MAX_INT, Math.min(MAX_INT, value))

/** A bound of 0 is no bound. */
function boundOf(field: RangeField, min = 0, max = 0): Bound[] {
  if (min === 0 && max === 0) return []
  const isPercent = field.startsWith('Overload')
  const lowest = isPercent ? ceilToTenths(min) : Math.ceil(min)
  // The largest value up to a maximum is found by negation.
  const highest = isPercent ? -ceilToTenths(-max) : Math.floor(max)
  return [{ field, min: min === 0 ? null : clampToInt(lowest), max: max === 0 ? null : clampToInt(highest) }]
}

/** The smallest n with n / 10 ≥ percent, computed as the API computes percents, without rounding errors. */
function ceilToTenths(percent: number): number {
  let tenths = Math.round(percent * 10)
  while ((tenths - 1) / 10 >= percent && Math.abs(tenths) < MAX_INT) tenths--
  while (tenths / 10 < percent && Math.abs(tenths) < MAX_INT) tenths++
  return tenths
}

function platesOf(texts: readonly string[] = []): PlateFilter | null {
  const found = texts.flatMap((text) => {
    const [own, nationality] = splitReading(text)
    const plate = normalisePlate(own)
    return plate === null ? [] : [{ plate, nationality }]
  })
  if (found.length === 0) return null
  if (found.every(({ nationality }) => nationality === null))
    return { plates: [...new Set(found.map(({ plate }) => plate))].sort() }
  const readings = found.map(({ plate, nationality }) =>
    nationality === null ? plate : readingText(plate, nationality),
  )
  return { readings: [...new Set(readings)].sort() }
}

function plateOf(text: string | undefined, similarity = 0): PlateFilter | null {
  const pattern = normalisePlate(text)
  if (pattern === null) return null
  return { pattern: similarity > 0 ? pattern.replace(/[*?]/g, '') : pattern, similarity }
}
