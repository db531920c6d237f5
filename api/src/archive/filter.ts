import type { ArchiveFilters } from '@rogatka/contract/archive.ts'
import {
  type RangeField,
  rangeFields,
  type SortColumn,
  type SortDirection,
  violations,
} from '@rogatka/contract/vehicle.ts'
import { normalisePlate } from '@rogatka/domain/vehicle/plate.ts'
import { bitsOf } from '@rogatka/domain/vehicle/violations.ts'

/** `similarity` in percent; 0: the pattern itself, with `*` and `?` for any characters and for one. */
type PlateFilter = { pattern: string; similarity: number }
/** In the units of the column: overloads in tenths of a percent. */
export type Bound = { field: RangeField; min: number | null; max: number | null }
export type Sort = { column: SortColumn; direction: SortDirection }

/** A search as the database understands it; an empty list asks nothing. [from, to). */
export type Filter = {
  from: Date
  to: Date
  locations: number[]
  lanes: number[]
  /** As stored: 0 and 6 are not classified. */
  categories: number[]
  /** The sets that have any of the violations asked for. */
  violationSets: number[]
  bounds: Bound[]
  plate: PlateFilter | null
  /** The user of whose tagged vehicles alone the search is; null: of all. */
  taggedBy: number | null
}

export function filterOf(query: ArchiveFilters, userId: number): Filter {
  const asked = bitsOf(query)
  return {
    from: query.dateTimeStart,
    to: query.dateTimeEnd,
    locations: numbered(query.locations),
    lanes: numbered(query.laneNumbers ?? []),
    categories: distinct((query.ctg8p1 ?? []).flatMap((category) => (category === 'lack' ? [0, 6] : Number(category)))),
    violationSets: Array.from({ length: 2 ** violations.length }, (_, set) => set).filter((set) => set & asked),
    bounds: rangeFields.flatMap((field) => boundOf(field, query[`min${field}`], query[`max${field}`])),
    plate: plateOf(query.plateLpr, query.similarity),
    taggedBy: query.taggedOnly ? userId : null,
  }
}

/** Whether the roll-ups know all that is asked for. */
export const isCoveredByRollUps = ({ bounds, plate, taggedBy }: Filter): boolean =>
  bounds.length === 0 && plate === null && taggedBy === null

/** The columns to sort by, each once. */
export function sortsOf(query: ArchiveFilters): Sort[] {
  const asked = [
    { column: query.orderByColumnName1, direction: query.orderDirection1 },
    { column: query.orderByColumnName2, direction: query.orderDirection2 },
    { column: query.orderByColumnName3, direction: query.orderDirection3 },
  ].filter((sort): sort is Sort => sort.column !== undefined)
  const sorts = asked.filter(({ column }, index) => asked.findIndex((other) => other.column === column) === index)
  return sorts.length > 0 ? sorts : [{ column: 'createdAt', direction: query.orderDirection1 }]
}

const distinct = (numbers: readonly number[]) => [...new Set(numbers)].sort((a, b) => a - b)

/** A number that no station or lane can have stands for all such: asking for it finds nothing, and no column overflows. */
const numbered = (numbers: readonly number[]) => distinct(numbers.map((one) => (one >= 1 && one <= 8_191 ? one : -1)))

const LARGEST = 2 ** 31 - 1
const fitting = (value: number) => Math.max(-LARGEST, Math.min(LARGEST, value))

/** Bounds of 0 are none. */
function boundOf(field: RangeField, min = 0, max = 0): Bound[] {
  if (min === 0 && max === 0) return []
  const isPercent = field.startsWith('Overload')
  const lowest = isPercent ? firstTenth(min) : Math.ceil(min)
  // The greatest within a bound is one below the least above it.
  const highest = isPercent ? -firstTenth(-max) : Math.floor(max)
  return [{ field, min: min === 0 ? null : fitting(lowest), max: max === 0 ? null : fitting(highest) }]
}

/** The least number of tenths that is not below a percent, told as vehicles tell it: by division, not by rounding. */
function firstTenth(percent: number): number {
  let tenths = Math.round(percent * 10)
  while ((tenths - 1) / 10 >= percent && Math.abs(tenths) < LARGEST) tenths--
  while (tenths / 10 < percent && Math.abs(tenths) < LARGEST) tenths++
  return tenths
}

function plateOf(text: string | undefined, similarity = 0): PlateFilter | null {
  const pattern = normalisePlate(text)
  if (pattern === null) return null
  return { pattern: similarity > 0 ? pattern.replace(/[*?]/g, '') : pattern, similarity }
}
