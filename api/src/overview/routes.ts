import { hasRight } from '@rogatka/contract/access.ts'
import { BLACK } from '@rogatka/contract/options.ts'
import { overview } from '@rogatka/contract/overview.ts'
import { markFor } from '@rogatka/domain/wanted/visibility.ts'
import { EncodedJson } from '../core/encoded-json.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import type { LiveWindow } from '../current/public-api.ts'
import { createOverviewState, type OverviewState } from './state.ts'

/** Registers the overview of all stations. */
export function overviewRoutes(api: Api, live: LiveWindow): void {
  const stateAt = createOverviewState(api.db, api.config.organization, api.http.log)
  route(api, overview, async ({ now, session }) => {
    const window = live.current()
    const state = window && (await stateAt(window, now))
    if (!state) throw new Refusal('unavailable', 503, null, 1)
    return new EncodedJson(responseFor(state, session))
  })
}

/** The response for a viewer. Most viewers see the same, so it is encoded once for them. */
function responseFor(state: OverviewState, session: Session): Buffer {
  const wanted = wantedFor(state, session)
  const seesTickets = hasRight(session.permissions, 'Tickets')
  const key = JSON.stringify([seesTickets, [...wanted]])
  const found = state.responses.get(key)
  if (found) return found
  const stations = state.stations.map(({ locationId, json }) => {
    const tickets = seesTickets && state.tickets ? (state.tickets.get(locationId) ?? 0) : null
    return `${json},"wanted":${wanted.get(locationId) ?? 0},"tickets":${tickets}}`
  })
  const missing = state.missing.filter((part) => part !== 'tickets' || seesTickets)
  const head = `"at":${JSON.stringify(state.at)},"missing":${JSON.stringify(missing)}`
  const response = Buffer.from(`{${head},"stations":[${stations}]}`)
  state.responses.set(key, response)
  return response
}

/**
 * Black-listed vehicles that the viewer may see, by station. Counted until their checkpoint; those without a time at a
 * checkpoint as long as they are live.
 */
function wantedFor({ at, marked }: OverviewState, session: Session): Map<number, number> {
  const wanted = new Map<number, number>()
  for (const { vehicle, marks = [], liveUntil } of marked) {
    if (at.getTime() >= (vehicle.checkpointTime?.getTime() ?? liveUntil)) continue
    if (markFor(session, marks)?.typeOfList !== BLACK) continue
    const { id } = vehicle.location
    wanted.set(id, (wanted.get(id) ?? 0) + 1)
  }
  return wanted
}
