import type { WireArchiveFilters } from '@rogatka/contract/archive.ts'
import { MAX_PLATES, MAX_READING_LENGTH } from '@rogatka/contract/options.ts'
import { type SortColumn, sortColumns, type VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { queryTexts, type SortDirection, sortDirections } from '@rogatka/contract/wire.ts'
import { isNothingMissing, missingFieldsOf } from '../core/requiredFields.ts'
import { flagIn, instantIn, oneOf, pageIn, textIn } from '../core/urlParams.ts'
import { levelsAfterClick as afterClick, type Level } from '../ui/sortLevels.ts'
import { changeFilters, readFilters, readTimeClassCountry, type TimeClassCountryFilters } from '../vehicle/publicApi.ts'

export type Step = 1 | 2 | 3 | 4
const STEPS: readonly Step[] = [1, 2, 3, 4]
export const RESULT: Step = 4

export type SortLevel = Level<SortColumn>
/** Maximum number of sort levels. */
export const MAX_LEVELS = 3
/** Default order. */
export const NEWEST_FIRST: SortLevel = { column: 'createdAt', direction: 'desc' }

type SortParams = {
  [key in `orderByColumnName${1 | 2 | 3}`]?: SortColumn | undefined
} & { [key in `orderDirection${1 | 2 | 3}`]?: SortDirection | undefined }

/** URL parameters of the archive: step, filters in wire units, sort levels, page. */
export type ArchiveSearch = VehicleFilters &
  TimeClassCountryFilters &
  SortParams & {
    step?: Step | undefined
    /** ISO 8601 in UTC. */
    dateTimeStart?: string | undefined
    dateTimeEnd?: string | undefined
    /** Any of these plates, exactly as read, with or without a nationality: `WGM4K281:PL`. */
    plates?: string[] | undefined
    taggedOnly?: boolean | undefined
    /** Id of a saved search that is not open yet, in place of plates. */
    search?: string | undefined
    /** From 2: page 1 is omitted. */
    page?: number | undefined
  }

/** Parses the URL; malformed values are ignored, so that shared links never fail. */
export const readArchiveSearch = (search: Record<string, unknown>): ArchiveSearch => ({
  step: oneOf(STEPS, search.step),
  ...readFilters(search),
  dateTimeStart: instantIn(search.dateTimeStart),
  dateTimeEnd: instantIn(search.dateTimeEnd),
  plates: platesIn(search.plates),
  taggedOnly: flagIn(search.taggedOnly),
  search: textIn(search.search),
  ...readTimeClassCountry(search),
  ...orderFrom(levelsIn(search)),
  page: pageIn(search.page),
})

function platesIn(value: unknown): string[] | undefined {
  const { data = [] } = queryTexts.safeParse(value)
  const isValid = data.length <= MAX_PLATES && data.every((plate) => plate.length <= MAX_READING_LENGTH)
  return isValid && data.length > 0 ? data : undefined
}

/** Sort levels in the URL, without invalid columns and repeated columns. */
export function levelsIn(search: Record<string, unknown>): SortLevel[] {
  const levels: SortLevel[] = []
  for (let level = 1; level <= MAX_LEVELS; level++) {
    const column = oneOf(sortColumns, search[`orderByColumnName${level}`])
    if (!column || levels.some((earlier) => earlier.column === column)) continue
    levels.push({ column, direction: oneOf(sortDirections, search[`orderDirection${level}`]) ?? 'desc' })
  }
  return levels
}

/** Sort levels, or the default order. */
export function sortLevels(search: ArchiveSearch): SortLevel[] {
  const levels = levelsIn(search)
  return levels.length > 0 ? levels : [NEWEST_FIRST]
}

/** Sort levels as URL parameters; missing levels are undefined, which removes them. */
export const orderFrom = (levels: readonly SortLevel[]): SortParams =>
  Object.fromEntries(
    Array.from({ length: MAX_LEVELS }, (_, at) => [
      [`orderByColumnName${at + 1}`, levels[at]?.column],
      [`orderDirection${at + 1}`, levels[at]?.direction],
    ]).flat(),
  )

/** Changes a level, appends it, or removes it (null); each column occurs once. */
export function withLevel(levels: readonly SortLevel[], at: number, level: SortLevel | null): SortLevel[] {
  const others = levels.map((other, index) => (index !== at && other.column === level?.column ? null : other))
  return others.toSpliced(at, 1, level).filter((entry) => entry !== null)
}

/** Texts and stations sort ascending first, measured values descending. */
const ASCENDING_FIRST: readonly SortColumn[] = ['plateLpr', 'locationId', 'ctg8p1']

/** Sort levels after a click on a column header (`sortLevels.ts`). */
export const levelsAfterClick = (levels: readonly SortLevel[], column: SortColumn, isAdded: boolean): SortLevel[] =>
  afterClick(levels, {
    column,
    first: ASCENDING_FIRST.includes(column) ? 'asc' : 'desc',
    isAdded,
    maxLevels: MAX_LEVELS,
  })

/** Changes the search; empty values are removed. A changed query starts at page 1. */
export function changeSearch(search: ArchiveSearch, changes: Partial<ArchiveSearch>): ArchiveSearch {
  const changed = changeFilters<ArchiveSearch>(search, changes)
  const plates = changed.plates?.length ? changed.plates : undefined
  const taggedOnly = changed.taggedOnly || undefined
  return { ...changed, plates, ...readTimeClassCountry(changed), taggedOnly, page: changes.page }
}

/** The query of search and reports; undefined while a required field is missing. */
export function toQuery({ step: _, page: __, ...search }: ArchiveSearch): WireArchiveFilters | undefined {
  const { dateTimeStart, dateTimeEnd, locations } = search
  if (!isNothingMissing(missingFieldsOf(search)) || !dateTimeStart || !dateTimeEnd || !locations) return undefined
  return { ...search, dateTimeStart, dateTimeEnd, locations }
}

/** Steps of the wizard; the SG variant has no conditions. */
export const stepsOf = (sg: boolean): Step[] => (sg ? [1, 3, 4] : [1, 2, 3, 4])
