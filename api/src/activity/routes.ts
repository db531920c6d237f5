import * as endpoints from '@rogatka/contract/activity.ts'
import { reportLimits } from '@rogatka/contract/reports.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { anonymiseAuditFor } from '../core/anonymity.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { createReportLink } from '../reports/public-api.ts'
import { userById } from '../users/public-api.ts'
import { activityCount, activityPage, auditCount, auditPage, outboxCount, outboxPage } from './queries.ts'
import { activityReport, assertUserLogAllowed, userLogReport } from './report.ts'

const SIGN_EVENT = 3

/** Registers the routes of activity history, audit log and outbox. */
export function activityRoutes(api: Api): void {
  route(api, endpoints.list, async ({ db, now, query }) => ({
    totalCount: await activityCount(db, query),
    content: [...(await activityPage(db, query, query, now))],
  }))

  route(api, endpoints.vmsLogs, async ({ db, now, query }) => {
    const search = { ...query, eventTypes: [SIGN_EVENT] }
    return { totalCount: await activityCount(db, search), content: [...(await activityPage(db, search, query, now))] }
  })

  route(api, endpoints.audit, async ({ db, session, query }) => ({
    totalCount: await auditCount(db, query),
    content: (await auditPage(db, query, query)).map((entry) => anonymiseAuditFor(session, entry)),
  }))

  route(api, endpoints.outbox, async ({ db, query }) => ({
    totalCount: await outboxCount(db),
    content: [...(await outboxPage(db, query))],
  }))

  route(api, endpoints.report, async (call) => {
    const count = await activityCount(call.db, call.query)
    const limit = reportLimits[call.query.reportType]
    if (count > limit) throw refuseFields(422, [{ path: null, code: 'report-too-large', params: { count, limit } }])
    return createReportLink(call, activityReport, call.query)
  })

  route(api, endpoints.userLog, async (call) => {
    const { db, now, session, params } = call
    assertUserLogAllowed(session, params.id)
    if (!(await userById(db, params.id))) throw new Refusal('user-not-found', 404)
    const dateTimeStart = new Date(now.getTime() - endpoints.USER_LOG_DAYS * DAY_MS)
    return createReportLink(call, userLogReport, { userId: params.id, dateTimeStart, dateTimeEnd: now })
  })
}
