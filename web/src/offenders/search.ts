import { type OffenderGroup, type OffenderSort, offenderGroups, offenderSorts } from '@rogatka/contract/options.ts'
import { type SortDirection, sortDirections } from '@rogatka/contract/wire.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { flagIn, instantIn, oneOf, pageIn, positiveIn, textIn } from '../core/urlParams.ts'
import { midnight } from '../ui/dayRange.ts'
import { type Level, levelsAfterClick } from '../ui/sortLevels.ts'
import { readFilters } from '../vehicle/publicApi.ts'

/** The API's default and maximum. */
export const DEFAULT_MIN = 3
export const MAX_MIN = 1_000

/** URL parameters of the offenders; stations and range are those of all statistics. Defaults are omitted. */
export type OffenderSearch = {
  locations?: number[] | undefined
  /** ISO 8601 in UTC; whole days are counted. */
  dateTimeStart?: string | undefined
  dateTimeEnd?: string | undefined
  minOverloads?: number | undefined
  /** Also vehicles without overloads on 3 days within 12 months. */
  all?: true | undefined
  groupBy?: Exclude<OffenderGroup, 'plate'> | undefined
  orderBy?: OffenderSort | undefined
  orderDirection?: SortDirection | undefined
  page?: number | undefined
  /** The chosen vehicle. */
  id?: number | undefined
  /** Key of the chosen carrier. */
  carrier?: string | undefined
}

/** Parses the URL; malformed values and the defaults are omitted. */
export function readOffenderSearch(search: Record<string, unknown>): OffenderSearch {
  const minOverloads = positiveIn(search.minOverloads)
  const group = oneOf(offenderGroups, search.groupBy)
  const sort = oneOf(offenderSorts, search.orderBy)
  const direction = oneOf(sortDirections, search.orderDirection)
  return {
    locations: readFilters({ locations: search.locations }).locations,
    dateTimeStart: instantIn(search.dateTimeStart),
    dateTimeEnd: instantIn(search.dateTimeEnd),
    minOverloads: minOverloads === DEFAULT_MIN || (minOverloads ?? 0) > MAX_MIN ? undefined : minOverloads,
    all: flagIn(search.all),
    groupBy: group === 'plate' ? undefined : group,
    orderBy: sort === 'overloads' ? undefined : sort,
    orderDirection: direction === 'desc' ? undefined : direction,
    page: pageIn(search.page),
    id: group === 'carrier' ? undefined : positiveIn(search.id),
    carrier: group === 'carrier' ? textIn(search.carrier) : undefined,
  }
}

/** Changes the search; other filters start at page 1, without a chosen row. */
export const changeSearch = (search: OffenderSearch, changes: Partial<OffenderSearch>): OffenderSearch =>
  readOffenderSearch({ ...search, page: undefined, id: undefined, carrier: undefined, ...changes })

/** Order after a click on a column header: descending, and ascending with a second click. */
export function orderAfterClick(
  search: OffenderSearch,
  column: OffenderSort,
): Pick<OffenderSearch, 'orderBy' | 'orderDirection'> {
  const click = { column, first: 'desc' as const, isAdded: false, maxLevels: 1 }
  const [level] = levelsAfterClick([levelOf(search)], click)
  return { orderBy: level?.column, orderDirection: level?.direction }
}

/** The order of the list. */
export const levelOf = ({ orderBy = 'overloads', orderDirection = 'desc' }: OffenderSearch): Level<OffenderSort> => ({
  column: orderBy,
  direction: orderDirection,
})

/** The next lower minimum to offer if nothing was found; null if there is none. */
export const lowerMinimum = (minimum: number): number | null => (minimum > 1 ? Math.floor(minimum / 2) : null)

/** Filters of the archive that find all passages of a vehicle. */
export function archiveSearchOf(
  { firstSeen, lastSeen, spellings }: { firstSeen: string; lastSeen: string; spellings: { readings: string[] }[] },
  locations: readonly number[],
) {
  return {
    step: 4 as const,
    locations: [...locations],
    dateTimeStart: midnight(firstSeen),
    // The end is exclusive.
    dateTimeEnd: new Date((Math.floor(Date.parse(lastSeen) / MINUTE_MS) + 1) * MINUTE_MS).toISOString(),
    plates: [...new Set(spellings.flatMap(({ readings }) => readings))],
  }
}
