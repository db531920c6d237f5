import * as endpoints from '@rogatka/contract/statistics-distributions.ts'
import { dayparts } from '@rogatka/domain/statistics/dayparts.ts'
import { withSemaphore } from '../core/call-semaphore.ts'
import { type Database, type Pool, SNAPSHOT } from '../core/database.ts'
import { type Api, route } from '../core/route.ts'
import type { Session } from '../core/sessions.ts'
import { withinStations } from '../core/station-scope.ts'
import { createReportLink } from '../reports/public-api.ts'
import { trafficReport } from './distribution-report.ts'
import { equivalentsByStation, headwaysByStation, profileByStation, speedsByStation } from './distribution-results.ts'
import { type DistributionRequest, type HourFigures, planRequest, summarise } from './distributions.ts'
import { limitedLoads } from './load-limits.ts'

/** Registers the routes of traffic figures for road engineers. */
export function distributionRoutes(api: Api): void {
  route(api, endpoints.summary, (call) => read(call, summarise, 'known'))

  route(api, endpoints.speed, (call) => {
    const selected = call.query.dayparts?.map((part) => dayparts.indexOf(part) + 1) ?? []
    return read(call, (db, request) => speedsByStation(db, request, selected.length > 0 ? selected : null))
  })

  route(api, endpoints.headway, (call) => read(call, headwaysByStation))

  route(api, endpoints.loads, (call) => {
    const { overloadBasis } = api.config
    return read(call, (db, request) => limitedLoads(db, request, { now: call.now, overloadBasis }))
  })

  route(api, endpoints.equivalentAxles, (call) => read(call, equivalentsByStation))

  route(api, endpoints.profile, (call) => read(call, profileByStation, 'vehicles'))

  route(api, endpoints.report, async (call) => {
    // Validated now, not when the link is opened.
    await planRequest(call.db, call.query, call.now)
    return createReportLink(call, trafficReport, call.query)
  })
}

type DistributionCall = Parameters<typeof withSemaphore>[0] & {
  readDb: Pool
  now: Date
  session: Session
  query: Parameters<typeof planRequest>[1]
}

/** Reads all parts of a result from one snapshot; `hourFigures` as in `planRequest`. */
const read = <T>(
  call: DistributionCall,
  work: (db: Database, request: DistributionRequest) => Promise<T>,
  hourFigures?: HourFigures,
): Promise<T> =>
  withSemaphore(
    call,
    (signal) =>
      call.readDb.transaction(
        async (db) => work(db, await planRequest(db, withinStations(call.session, call.query), call.now, hourFigures)),
        { mode: SNAPSHOT, signal },
      ),
    'figures',
  )
