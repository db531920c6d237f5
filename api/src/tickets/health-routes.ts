import * as endpoints from '@rogatka/contract/tickets-health.ts'
import {
  type HealthState,
  healthEvidence,
  type StationHealth,
  stationHealth,
} from '@rogatka/contract/tickets-health.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { monthAt } from '@rogatka/domain/tickets/downtime.ts'
import type { Quality } from '@rogatka/domain/tickets/health.ts'
import { cellsOf, compareStations, laneLevels, worstLevel } from '@rogatka/domain/tickets/matrix.ts'
import { audit, type NewAuditEntry } from '../core/audit.ts'
import { withSemaphore } from '../core/call-semaphore.ts'
import type { Database } from '../core/database.ts'
import { encodeList } from '../core/encoded-json.ts'
import { type Api, route } from '../core/route.ts'
import type { DocumentSigner } from '../evidence/public-api.ts'
import { openLocations } from '../locations/public-api.ts'
import { createReportLink } from '../reports/public-api.ts'
import { monthAvailability } from './availability.ts'
import { qualityHours } from './availability-queries.ts'
import type { availabilityReport } from './availability-report.ts'
import { checks, failuresWithTickets, healthSettings, lockHealthSettings, setHealthSettings } from './health-queries.ts'

/** The worst known state: unknown checks are ignored while others are OK. */
function worstState(states: readonly HealthState[]): HealthState {
  if (states.includes('bad')) return 'bad'
  return states.includes('well') ? 'well' : 'unknown'
}

/** What stations sent in the last 24 full hours. */
async function findQualityOfLastDay(db: Database, now: Date): Promise<Map<number, Quality>> {
  const hours = await qualityHours(db, { from: new Date(now.getTime() - DAY_MS), to: now })
  const sums = new Map<number, Quality>()
  for (const { locationId, vehicles, unread, imagesDue, withoutImages } of hours) {
    const sum = sums.get(locationId) ?? NOTHING
    sums.set(locationId, {
      vehicles: sum.vehicles + vehicles,
      unread: sum.unread + unread,
      imagesDue: sum.imagesDue + imagesDue,
      withoutImages: sum.withoutImages + withoutImages,
    })
  }
  return sums
}

const NOTHING: Quality = { vehicles: 0, unread: 0, imagesDue: 0, withoutImages: 0 }

/** The condition of all open stations, in the order of the table. */
async function stationsHealth(db: Database, now: Date, signal: AbortSignal): Promise<StationHealth[]> {
  const checksByStation = Map.groupBy(await checks(db), ({ locationId }) => locationId)
  const failuresByStation = Map.groupBy(await failuresWithTickets(db), ({ locationId }) => locationId)
  const lastDay = await findQualityOfLastDay(db, now)
  signal.throwIfAborted()
  const stations = (await openLocations(db)).map((location): StationHealth => {
    const own = (checksByStation.get(location.id) ?? []).map(({ locationId: _, evidence, ...check }) => ({
      ...check,
      evidence: healthEvidence.parse(evidence),
    }))
    const failures = (failuresByStation.get(location.id) ?? []).map(({ locationId: _, ...failure }) => failure)
    const cells = cellsOf(location, own, failures, lastDay.get(location.id) ?? NOTHING, now)
    return {
      location,
      lastVehicleTime: location.lastVehicleTime,
      state: worstState(own.map(({ state }) => state)),
      level: worstLevel(cells),
      cells,
      lanes: laneLevels(location, own, failures),
      checks: own,
    }
  })
  return stations.sort(compareStations)
}

/** Registers the routes of station health, availability and their settings. */
export function stationHealthRoutes(
  api: Api,
  report: ReturnType<typeof availabilityReport>,
  documents: DocumentSigner,
): void {
  route(api, endpoints.health, (call) =>
    withSemaphore(call, async (signal) =>
      encodeList(stationHealth, await stationsHealth(call.db, call.now, signal), signal),
    ),
  )

  route(api, endpoints.availability, (call) =>
    withSemaphore(call, async () => {
      const { year, month } = call.query
      const chosen = year !== undefined && month !== undefined ? { year, month } : monthAt(call.now)
      const [signature] = documents.begin(call).lines
      return { ...(await monthAvailability(call.db, chosen, call.now)), signature: signature?.[1] ?? null }
    }),
  )

  route(api, endpoints.availabilityReport, (call) => createReportLink(call, report, call.query))

  route(api, endpoints.readHealthSettings, ({ db }) => healthSettings(db))

  route(api, endpoints.changeHealthSettings, async ({ db, now, session, request, body }) =>
    db.transaction(async (db) => {
      const before = await lockHealthSettings(db)
      const { contractPercent = before.contractPercent } = body
      const after = { ...body, contractPercent }
      await setHealthSettings(db, after)
      const auditEntry: NewAuditEntry = { action: 'station-watch-changed', subject: 'station-health', before, after }
      await audit(db, { session, request, now }, auditEntry)
      return after
    }),
  )
}
