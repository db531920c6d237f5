import { list } from '@rogatka/contract/locations.ts'
import { type Api, route } from '../core/route.ts'
import { ofSeenLocations } from '../core/station-scope.ts'
import { locations } from './queries.ts'

/** Registers the list of stations. */
export function locationsRoutes(api: Api): void {
  route(api, list, async ({ db, session }) => ofSeenLocations(session, await locations(db), ({ id }) => id))
}
