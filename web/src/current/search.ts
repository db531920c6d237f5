import { type SortColumn, sortColumns, type VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { type SortDirection, sortDirections } from '@rogatka/contract/wire.ts'
import { oneOf, textIn } from '../core/urlParams.ts'
import { readFilters } from '../vehicle/publicApi.ts'

export type Step = 1 | 2 | 3

/** URL parameters of the live list: step, filters in wire units, order. */
export type CurrentSearch = VehicleFilters & {
  step?: Step | undefined
  orderByColumnName?: SortColumn | undefined
  orderDirection?: SortDirection | undefined
  /** Id of a saved search that is not open yet, in place of a plate. */
  search?: string | undefined
}

/** Parses the URL; malformed values are ignored. The defaults, step 1 and newest first, are omitted. */
export const readCurrentSearch = (search: Record<string, unknown>): CurrentSearch => ({
  step: oneOf<Step>([2, 3], search.step),
  ...readFilters(search),
  orderByColumnName: oneOf(sortColumns, search.orderByColumnName),
  orderDirection: oneOf(sortDirections, search.orderDirection),
  search: textIn(search.search),
})

export const orderOf = ({ orderByColumnName = 'createdAt', orderDirection = 'desc' }: CurrentSearch) => ({
  orderByColumnName,
  orderDirection,
})

/** Only the filters. */
export function filtersOf(search: CurrentSearch): VehicleFilters {
  const { step: _, orderByColumnName: __, orderDirection: ___, ...filters } = search
  return filters
}

const isBare = (search: CurrentSearch) => Object.values(search).every((value) => value === undefined)

/**
 * Redirect of a live-list URL; null: none. A URL without parameters restores the last search, or without one opens the
 * list of the station that a link passed.
 */
export function entryRedirect(
  search: CurrentSearch,
  lastSearch: CurrentSearch,
  station?: number,
): CurrentSearch | null {
  if (!isBare(search)) return null
  if (!isBare(lastSearch)) return lastSearch
  return station === undefined ? null : { step: 3, locations: [station] }
}

/** Steps of the wizard; the SG variant has no vehicle data. */
export const stepsOf = (sg: boolean): Step[] => (sg ? [1, 3] : [1, 2, 3])

/** Whether step 3 is possible: it needs a station. */
export const canStartLive = ({ locations = [] }: VehicleFilters): boolean => locations.length > 0
