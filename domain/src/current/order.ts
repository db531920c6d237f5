import type { SortColumn, Vehicle, WireVehicle } from '@rogatka/contract/vehicle.ts'
import type { SortDirection } from '@rogatka/contract/wire.ts'

/** Fields used for sorting. createdAt is a Date on the server and ISO text in UTC in the browser; both sort by time. */
export type Sortable = Pick<Vehicle | WireVehicle, Exclude<SortColumn, 'locationId' | 'createdAt'> | 'id'> & {
  createdAt: Date | string
  location: Pick<Vehicle['location'], 'id'>
}

type SortValue = Date | string | number

const sortValueOf = (vehicle: Sortable, column: SortColumn): SortValue | null =>
  column === 'locationId' ? vehicle.location.id : vehicle[column]

const ascending = (a: SortValue, b: SortValue): number => (a < b ? -1 : a > b ? 1 : 0)

/** Comparator of one column: missing values last in both directions, ties by newest, then by id. */
export const comparator = (orderByColumnName: SortColumn, orderDirection: SortDirection) => {
  const sign = orderDirection === 'asc' ? 1 : -1
  return (a: Sortable, b: Sortable): number => {
    const [keyA, keyB] = [sortValueOf(a, orderByColumnName), sortValueOf(b, orderByColumnName)]
    const byColumn =
      keyA === null || keyB === null ? Number(keyA === null) - Number(keyB === null) : sign * ascending(keyA, keyB)
    return byColumn || ascending(b.createdAt, a.createdAt) || a.id - b.id
  }
}
