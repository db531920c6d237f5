import * as endpoints from '@rogatka/contract/tickets.ts'
import { type HealthState, healthEvidence, type StationHealth } from '@rogatka/contract/tickets.ts'
import { audit } from '../core/audit.ts'
import { type Api, route } from '../core/route.ts'
import { locations } from '../locations/queries.ts'
import { checks, healthSettings, lockHealthSettings, setHealthSettings } from './health-queries.ts'

const WORST: HealthState[] = ['bad', 'unknown', 'well']

/** The worst that is known: what is unknown of a station says nothing while the rest is well. */
function stateOf(states: readonly HealthState[]): HealthState {
  if (states.includes('bad')) return 'bad'
  return states.includes('well') ? 'well' : 'unknown'
}

/** Opens how the stations are, and whether their failures make tickets by themselves. */
export function stationHealthRoutes(api: Api): void {
  route(api, endpoints.health, async ({ sql }) => {
    const known = await checks(sql)
    const stations: StationHealth[] = (await locations(sql)).toReversed().map((location) => {
      const own = known
        .filter(({ locationId }) => locationId === location.id)
        .map(({ locationId: _, evidence, ...check }) => ({ ...check, evidence: healthEvidence.parse(evidence) }))
      return {
        location,
        lastVehicleTime: location.lastVehicleTime,
        state: stateOf(own.map(({ state }) => state)),
        checks: own,
      }
    })
    return stations.sort((a, b) => WORST.indexOf(a.state) - WORST.indexOf(b.state))
  })

  route(api, endpoints.readHealthSettings, ({ sql }) => healthSettings(sql))

  route(api, endpoints.changeHealthSettings, async ({ sql, now, session, request, body }) =>
    sql.begin(async (sql) => {
      const before = await lockHealthSettings(sql)
      await setHealthSettings(sql, body)
      const deed = { action: 'station-watch-changed', subject: 'station-health', before, after: body }
      await audit(sql, { session, request, now }, deed)
      return body
    }),
  )
}
