import { list } from '@rogatka/contract/locations.ts'
import { ofSeenLocations } from '../core/device-scope.ts'
import { type Api, route } from '../core/route.ts'
import { locations } from './queries.ts'

/** Registers the list of stations. */
export function locationsRoutes(api: Api): void {
  route(api, list, async ({ db, session }) => ofSeenLocations(session, await locations(db), ({ id }) => id))
}
