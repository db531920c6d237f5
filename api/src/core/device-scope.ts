import { Refusal } from './refusal.ts'
import type { Session } from './sessions.ts'

type Caller = Pick<Session, 'device'>

/** Whether a caller may see a station: a device only its own. */
export const seesLocation = ({ device }: Caller, locationId: number): boolean =>
  device === undefined || device.locationIds.includes(locationId)

/** The rows of stations that a caller may see. */
export const ofSeenLocations = <T>(caller: Caller, rows: readonly T[], locationOf: (row: T) => number): T[] =>
  rows.filter((row) => seesLocation(caller, locationOf(row)))

/**
 * Filters of vehicles, limited to the stations of a device; without a selection it sees all of its own.
 * @throws 403 if it selects none of its stations
 */
export function withinDevice<Q extends { locations?: number[] | undefined }>({ device }: Caller, query: Q): Q {
  if (!device) return query
  const selected = query.locations?.length ? query.locations : device.locationIds
  const locations = device.locationIds.filter((id) => selected.includes(id))
  if (locations.length === 0) throw new Refusal('forbidden', 403, 'locations')
  return { ...query, locations }
}
