import { purposes } from '@rogatka/contract/looks.ts'
import * as endpoints from '@rogatka/contract/trail.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { normalisePlate } from '@rogatka/domain/vehicle/plate.ts'
import { assertNotAnonymised } from '../core/anonymity.ts'
import { currentPurpose, removePurpose, requirePurpose, setPurpose } from '../core/purpose.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { countTrailLines, integrityOf, MAX_LOG_LINES, requestEvidenceCheck } from '../evidence/public-api.ts'
import { createReportLink } from '../reports/public-api.ts'
import {
  hoursWithManyPlates,
  linesByPurpose,
  looksOutsideShift,
  trailCount,
  trailPage,
  unansweredRefusals,
} from './queries.ts'
import { MAX_TRAIL_ROWS, namesManyPlates, type TrailReport } from './report.ts'
import { lookAtLines, toEntry, toTrailSearch, trailSearches } from './view.ts'

/** Registers the routes of the access trail and of the purposes of looks. */
export function trailRoutes(api: Api, report: TrailReport): void {
  const required = api.config.purposes === 'required'

  route(api, endpoints.readPurpose, async ({ db, session, now }) => ({
    required,
    current: await currentPurpose(db, session, now),
  }))

  route(api, endpoints.setPurpose, async ({ db, session, now, body }) => {
    await setPurpose(db, session, body, now)
    await api.trail.divideVisits(session)
    return { required, current: await currentPurpose(db, session, now) }
  })

  route(api, endpoints.removePurpose, async ({ db, session }) => {
    await removePurpose(db, session)
    await api.trail.divideVisits(session)
  })

  route(api, endpoints.trail, async ({ db, session, now, query, look }) => {
    // Who looks for whom is itself a look: there is no masked view.
    assertNotAnonymised(session)
    const key = await api.trail.key()
    const { search, asked } = await toTrailSearch(api, { session, now }, query)
    const totalCount = await trailCount(db, search)
    const content = (await trailPage(db, search, query)).map((row) => toEntry(key, row))
    await look({ ...lookAtLines(content, totalCount, asked), kind: 'trail' })
    return { content, totalCount }
  })

  route(api, endpoints.searchTrail, async ({ session, now, body }) => {
    assertNotAnonymised(session)
    const plate = normalisePlate(body.plateLpr)
    if (plate === null) throw new Refusal('incorrect-plate', 400, 'plateLpr')
    return api.searches.save(trailSearches, session, { filters: { plate } }, now)
  })

  route(api, endpoints.trailSummary, async ({ db, session, query, now }) => {
    assertNotAnonymised(session)
    const byPurpose = await linesByPurpose(db, query)
    const hours = await hoursWithManyPlates(db, query)
    const { activityRetentionDays, shiftStarts } = api.config
    const shiftsKnownSince = new Date(now.getTime() - (activityRetentionDays - endpoints.USUAL_SHIFT.of) * DAY_MS)
    const shifts = await looksOutsideShift(db, query, shiftsKnownSince, shiftStarts)
    const refusals = await unansweredRefusals(db, query)
    return {
      lines: byPurpose.reduce((sum, { lines }) => sum + lines, 0),
      purposes: byPurpose.map(({ purpose, lines }) => ({ purpose: purposes[(purpose ?? 0) - 1] ?? null, lines })),
      manyPlates: hours.map(({ id, name, ...hour }) => ({ user: { id, name }, ...hour })),
      outsideShift: shifts.map(({ id, name, ...shift }) => ({ user: { id, name }, ...shift })),
      shiftsKnownSince,
      withoutPurpose: refusals.map(({ id, name, at }) => ({ user: { id, name }, at })),
    }
  })

  route(api, endpoints.integrity, async ({ db, session, now }) => {
    assertNotAnonymised(session)
    return { ...(await integrityOf(db, now)), isCopied: api.config.evidenceCopy !== null }
  })

  route(api, endpoints.checkIntegrity, async ({ db, session, now }) => {
    assertNotAnonymised(session)
    await requestEvidenceCheck(db, now)
  })

  route(api, endpoints.trailReport, async (call) => {
    const { db, session, query } = call
    assertNotAnonymised(session)
    const { search } = await toTrailSearch(api, call, query)
    // The chain of an evidence has all lines of the range.
    const isEvidence = query.reportType === 'zip'
    const range = { from: query.dateTimeStart, to: query.dateTimeEnd }
    const found = await trailCount(db, search)
    const count = isEvidence ? Math.max(found, await countTrailLines(db, range)) : found
    const limit = isEvidence ? MAX_LOG_LINES : MAX_TRAIL_ROWS
    const params = { count, limit }
    if (count > limit) throw refuseFields(422, [{ path: null, code: 'report-too-large', params }])
    if (namesManyPlates(found)) await requirePurpose(api, session)
    return createReportLink(call, report, query)
  })
}
