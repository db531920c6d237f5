import * as endpoints from '@rogatka/contract/inspections-figures.ts'
import { reportLimits } from '@rogatka/contract/reports.ts'
import { isBiased } from '@rogatka/domain/inspections/accuracyPairs.ts'
import { withSemaphore } from '../core/call-semaphore.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import { createReportLink } from '../reports/public-api.ts'
import { accuracyOfLanes, leftOutOf, summaryOf } from './accuracy.ts'
import { mayCompareOfficers, maySeeNumbers, outcomesOf, scopeOf, selectionsOf, toStation } from './figures.ts'
import { laneDifferences, pairRows, unweighedCounts } from './figures-queries.ts'
import type { FiguresReport } from './figures-report.ts'
import { pairsOf } from './pairs.ts'
import { numberOf } from './view.ts'

/** Registers the routes of hit rates, differences and accuracy classes. */
export function figuresRoutes(api: Api, report: FiguresReport): void {
  const { shiftStarts } = api.config

  route(api, endpoints.figures, (call) => {
    const { db, session, query } = call
    if (query.groupBy === 'officer' && !mayCompareOfficers(session)) throw new Refusal('forbidden', 403)
    return withSemaphore(call, async () =>
      outcomesOf(db, await scopeOf(db, query), { groupBy: query.groupBy, shiftStarts }),
    )
  })

  route(api, endpoints.unweighed, (call) =>
    withSemaphore(call, async () => unweighedCounts(call.db, (await scopeOf(call.db, call.query)).scope)),
  )

  route(api, endpoints.pairs, (call) => withSemaphore(call, () => listPairs(call)))

  route(api, endpoints.accuracy, (call) =>
    withSemaphore(call, async () => {
      const { db, now, query } = call
      const { scope, stations } = await scopeOf(db, query)
      const chosen = selectionsOf(query.selections)
      const lanes = await accuracyOfLanes(db, { scope, stations, chosen, now })
      return { selections: chosen, isBiased: isBiased(chosen), lanes }
    }),
  )

  route(api, endpoints.figuresReport, async (call) => {
    const { db, query } = call
    const { scope } = await scopeOf(db, query)
    // Validated now, not when the link is opened. A document has no list of pairs.
    if (query.reportType !== 'pdf') {
      const pairs = Object.values(summaryOf(await laneDifferences(db, scope, selectionsOf(query.selections))))
      const [count, limit] = [pairs.reduce((sum, { n }) => sum + n, 0), reportLimits[query.reportType]]
      if (count > limit) throw refuseFields(422, [{ path: null, code: 'report-too-large', params: { count, limit } }])
    }
    return createReportLink(call, report, query)
  })
}

async function listPairs({ db, session, query }: Call<typeof endpoints.pairs>) {
  const { scope, stations } = await scopeOf(db, query)
  const chosen = selectionsOf(query.selections)
  const rows = await laneDifferences(db, scope, chosen)
  const page = await pairRows(db, scope, { chosen, after: query.after, limit: query.limit + 1 })
  const content = page.slice(0, query.limit)
  const isNumbered = maySeeNumbers(session)
  return {
    selections: chosen,
    isBiased: isBiased(chosen),
    differences: summaryOf(rows),
    leftOut: leftOutOf(rows),
    content: content.map((row) => ({
      at: row.at,
      location: toStation(stations, row.locationId),
      laneNumber: row.laneNumber,
      selection: row.selection,
      inspection: isNumbered ? { id: row.id, number: numberOf(row) } : null,
      pairs: pairsOf(row).map(({ criterion, wim, scale }) => ({ criterion, wim, static: scale })),
    })),
    next: page.length > query.limit ? (content.at(-1)?.id ?? null) : null,
  }
}
