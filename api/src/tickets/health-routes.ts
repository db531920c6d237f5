import * as endpoints from '@rogatka/contract/tickets.ts'
import { type HealthState, healthEvidence, type StationHealth, stationHealth } from '@rogatka/contract/tickets.ts'
import { audit, type NewAuditEntry } from '../core/audit.ts'
import { withSemaphore } from '../core/call-semaphore.ts'
import { encodeList } from '../core/encoded-json.ts'
import { type Api, route } from '../core/route.ts'
import { locations } from '../locations/public-api.ts'
import { checks, healthSettings, lockHealthSettings, setHealthSettings } from './health-queries.ts'

const STATES_BY_SEVERITY: HealthState[] = ['bad', 'unknown', 'well']

/** The worst known state: unknown checks are ignored while others are OK. */
function worstState(states: readonly HealthState[]): HealthState {
  if (states.includes('bad')) return 'bad'
  return states.includes('well') ? 'well' : 'unknown'
}

/** Registers the routes of station health and its settings. */
export function stationHealthRoutes(api: Api): void {
  route(api, endpoints.health, (call) =>
    withSemaphore(call, async (signal) => {
      const byStation = Map.groupBy(await checks(call.db), ({ locationId }) => locationId)
      signal.throwIfAborted()
      const stations: StationHealth[] = (await locations(call.db)).toReversed().map((location) => {
        const own = (byStation.get(location.id) ?? []).map(({ locationId: _, evidence, ...check }) => ({
          ...check,
          evidence: healthEvidence.parse(evidence),
        }))
        return {
          location,
          lastVehicleTime: location.lastVehicleTime,
          state: worstState(own.map(({ state }) => state)),
          checks: own,
        }
      })
      const sorted = stations.sort((a, b) => STATES_BY_SEVERITY.indexOf(a.state) - STATES_BY_SEVERITY.indexOf(b.state))
      return encodeList(stationHealth, sorted, signal)
    }),
  )

  route(api, endpoints.readHealthSettings, ({ db }) => healthSettings(db))

  route(api, endpoints.changeHealthSettings, async ({ db, now, session, request, body }) =>
    db.transaction(async (db) => {
      const before = await lockHealthSettings(db)
      await setHealthSettings(db, body)
      const auditEntry: NewAuditEntry = {
        action: 'station-watch-changed',
        subject: 'station-health',
        before,
        after: body,
      }
      await audit(db, { session, request, now }, auditEntry)
      return body
    }),
  )
}
