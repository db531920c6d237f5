import { type SortColumn, sortColumns, type VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { type SortDirection, sortDirections } from '@rogatka/contract/wire.ts'
import { oneOf } from '../core/address.ts'
import { readFilters } from '../vehicle/publicApi.ts'

export type Step = 1 | 2 | 3

/** What the address of the live list holds: the step, the filters in wire units, and the order. */
export type CurrentSearch = VehicleFilters & {
  step?: Step | undefined
  orderByColumnName?: SortColumn | undefined
  orderDirection?: SortDirection | undefined
}

/** Reads the address; what is malformed is left out. Step 1, newest first, stand for themselves and are not written. */
export const readCurrentSearch = (search: Record<string, unknown>): CurrentSearch => ({
  step: oneOf<Step>([2, 3], search.step),
  ...readFilters(search),
  orderByColumnName: oneOf(sortColumns, search.orderByColumnName),
  orderDirection: oneOf(sortDirections, search.orderDirection),
})

export const orderOf = ({ orderByColumnName = 'createdAt', orderDirection = 'desc' }: CurrentSearch) => ({
  orderByColumnName,
  orderDirection,
})

/** The filters alone. */
export function filtersOf(search: CurrentSearch): VehicleFilters {
  const { step: _, orderByColumnName: __, orderDirection: ___, ...filters } = search
  return filters
}

const isBare = (search: CurrentSearch) => Object.values(search).every((value) => value === undefined)

/**
 * Where an address of the live list leads instead; null: it stands. A bare one leads back to where the operator was,
 * and without that to the list of the station that a link named.
 */
export function entryRedirect(search: CurrentSearch, left: CurrentSearch, station?: number): CurrentSearch | null {
  if (!isBare(search)) return null
  if (!isBare(left)) return left
  return station === undefined ? null : { step: 3, locations: [station] }
}

/** Steps of the wizard; the SG variant has no vehicle data. */
export const stepsOf = (sg: boolean): Step[] => (sg ? [1, 3] : [1, 2, 3])

/** What may be asked of step 3: it needs a station. */
export const canStartLive = ({ locations = [] }: VehicleFilters): boolean => locations.length > 0
