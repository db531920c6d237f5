import { hasRight } from '@rogatka/contract/access.ts'
import { type OverviewPart, overview } from '@rogatka/contract/overview.ts'
import { isApproaching } from '@rogatka/domain/wanted/openHit.ts'
import { EncodedJson } from '../core/encoded-json.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import { seesLocation, stationsOf } from '../core/station-scope.ts'
import type { LiveWindow } from '../current/public-api.ts'
import type { OpenHits } from '../wanted/public-api.ts'
import { createOverviewState, type OverviewState } from './state.ts'

/** Registers the overview of all stations. */
export function overviewRoutes(api: Api, live: LiveWindow, openHits: OpenHits): void {
  const stateAt = createOverviewState(api.db, api.config.organization, api.http.log)
  route(api, overview, async ({ now, session }) => {
    const window = live.current()
    const state = window && (await stateAt(window, now))
    if (!state) throw new Refusal('unavailable', 503, null, 1)
    return new EncodedJson(responseFor(state, session, wantedFor(openHits, session, now)))
  })
}

/** The response for a viewer. Most viewers see the same, so it is encoded once for them. */
function responseFor(state: OverviewState, session: Session, wanted: ReadonlyMap<number, number> | null): Buffer {
  const seesTickets = hasRight(session.permissions, 'Tickets')
  const key = JSON.stringify([seesTickets, wanted && [...wanted], stationsOf(session)])
  const found = state.responses.get(key)
  if (found) return found
  const seen = state.stations.filter(({ locationId }) => seesLocation(session, locationId))
  const stations = seen.map(({ locationId, json }) => {
    const tickets = seesTickets && state.tickets ? (state.tickets.get(locationId) ?? 0) : null
    return `${json},"wanted":${wanted && (wanted.get(locationId) ?? 0)},"tickets":${tickets}}`
  })
  const missing: OverviewPart[] = state.missing.filter((part) => part !== 'tickets' || seesTickets)
  if (wanted === null) missing.push('wanted')
  const head = `"at":${JSON.stringify(state.at)},"missing":${JSON.stringify(missing)}`
  const response = Buffer.from(`{${head},"stations":[${stations}]}`)
  state.responses.set(key, response)
  return response
}

/** Hits that the viewer may see and whose countdown has not ended, by station; null if they are not known. */
function wantedFor(openHits: OpenHits, session: Session, now: Date): Map<number, number> | null {
  if (!openHits.isLoaded()) return null
  const wanted = new Map<number, number>()
  for (const hit of openHits.visibleTo(session, now)) {
    const { id } = hit.location
    if (isApproaching(hit, now)) wanted.set(id, (wanted.get(id) ?? 0) + 1)
  }
  return wanted
}
