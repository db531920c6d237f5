import { Refusal } from './refusal.ts'
import type { Session } from './sessions.ts'

type Caller = Pick<Session, 'device' | 'system'>

/** Whether a session is of a user, and not of a device or a system. */
export const isUser = ({ device, system }: Caller): boolean => device === undefined && system === undefined

/** The stations to which a caller is limited; undefined for users, who see all. */
export const stationsOf = ({ device, system }: Caller): number[] | undefined => (device ?? system)?.locationIds

/** Whether a caller may see a station: a device and a system only their own. */
export const seesLocation = (caller: Caller, locationId: number): boolean =>
  stationsOf(caller)?.includes(locationId) ?? true

/** The rows of stations that a caller may see. */
export const ofSeenLocations = <T>(caller: Caller, rows: readonly T[], locationOf: (row: T) => number): T[] =>
  rows.filter((row) => seesLocation(caller, locationOf(row)))

/**
 * Filters of vehicles, limited to the stations of a device or a system; without a selection it sees all of its own.
 * @throws 403 if it selects none of its stations
 */
export function withinStations<Q extends { locations?: number[] | undefined }>(caller: Caller, query: Q): Q {
  const own = stationsOf(caller)
  if (!own) return query
  const selected = query.locations?.length ? query.locations : own
  const locations = own.filter((id) => selected.includes(id))
  if (locations.length === 0) throw new Refusal('forbidden', 403, 'locations')
  return { ...query, locations }
}
