import {
  calibration,
  deviation,
  finish,
  finishDates,
  finishDatesReport,
  list,
  report,
} from '@rogatka/contract/calibration.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { laneId } from '@rogatka/contract/options.ts'
import { reportLimits } from '@rogatka/contract/reports.ts'
import { withSemaphore } from '../core/call-semaphore.ts'
import { type EncodedJson, encodeList } from '../core/encoded-json.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { createReportLink } from '../reports/public-api.ts'
import { finishDatesOf } from './finish-dates.ts'
import { finishUpkeepRoutes, recordFinish, refuseFuture } from './finish-upkeep.ts'
import { laneChartPng, type Size } from './graph.ts'
import {
  type CalibrationResult,
  evaluateLanes,
  findLocations,
  groupByLocation,
  planCalibration,
  resolutionFor,
} from './lanes.ts'
import { calibrationListReport } from './list-report.ts'
import { calibrationReportKind } from './report.ts'

/** Registers the routes of calibration: deviations of the lanes and finish dates. */
export function calibrationRoutes(api: Api): void {
  route(api, list, (call) =>
    withSemaphore(call, async (signal) => {
      const { dateTimeStart: from, dateTimeEnd: to, statResolutionValue: hours, locations } = call.query
      const result = await evaluateLanes(call.db, { from, to, hours, locations }, signal)
      return withCharts(result, call.query, { shows: 'load', language: call.language, signal })
    }),
  )

  route(api, deviation, (call) =>
    withSemaphore(call, async (signal) => {
      const { dateTimeStart: from, dateTimeEnd: to, locations } = call.query
      const result = await evaluateLanes(call.db, { from, to, hours: resolutionFor(from, to), locations }, signal)
      return withCharts(result, call.query, { shows: 'deviation', language: call.language, signal })
    }),
  )

  route(api, report, async (call) => {
    const { query, db } = call
    const { dateTimeStart: from, dateTimeEnd: to, locations: ids, statResolutionValue, reportType } = query
    // Validated now, not when the link is opened.
    const hours = statResolutionValue ?? resolutionFor(from, to)
    const { starts, locations } = await planCalibration(db, { from, to, hours, locations: ids })
    const count = starts.length * locations.reduce((sum, { lanes }) => sum + lanes.length, 0)
    const limit = reportLimits[reportType]
    if (count > limit) throw refuseFields(422, [{ path: null, code: 'report-too-large', params: { count, limit } }])
    return createReportLink(call, calibrationReportKind, query)
  })

  route(api, finish, async ({ db, now, query, session, request }) => {
    const { time: finishedAt } = query
    refuseFuture(finishedAt, now)
    const locations = await findLocations(db, [...new Set(query.locations)])
    const lanesOfLocations = locations.flatMap(({ id, lanes }) => lanes.map(({ laneNumber }) => laneId(id, laneNumber)))
    const selected = new Set(query.lanes ?? lanesOfLocations)
    if ([...selected].some((lane) => !lanesOfLocations.includes(lane)))
      throw new Refusal('lane-not-found', 404, 'lanes')
    if (selected.size === 0) throw new Refusal('required-parameter-missing', 422, 'lanes')
    await db.transaction(async (db) => {
      let changed = 0
      for (const { id, shortName, lanes: all } of locations) {
        const lanes = all.map(({ laneNumber }) => laneNumber).filter((lane) => selected.has(laneId(id, lane)))
        if (lanes.length === 0) continue
        changed += await recordFinish(db, { shortName, locationId: id, lanes, finishedAt }, { session, request, now })
      }
      if (changed === 0) throw new Refusal('calibration-already-recorded', 409, 'time')
    })
  })

  route(api, finishDates, (call) =>
    withSemaphore(call, async () => {
      const locations = await findLocations(call.db, [...new Set(call.query.locations)])
      return finishDatesOf(call.db, locations)
    }),
  )

  route(api, finishDatesReport, async (call) => {
    // Validated now, not when the link is opened.
    await findLocations(call.db, call.query.locations)
    return createReportLink(call, calibrationListReport, call.query)
  })

  finishUpkeepRoutes(api)
}

/** The response, with a chart per lane if requested. */
async function withCharts(
  result: CalibrationResult,
  query: Size & { addGraph: boolean },
  options: { shows: 'load' | 'deviation'; language: Language; signal: AbortSignal },
): Promise<EncodedJson> {
  const graphs: (string | null)[] = []
  for (const lane of result.lanes)
    graphs.push(query.addGraph ? (await laneChartPng(lane, result.starts, query, options)).toString('base64') : null)
  return encodeList(calibration, groupByLocation(result, graphs), options.signal)
}
