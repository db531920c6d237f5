import { hasAnyRight } from '@rogatka/contract/access.ts'
import { file } from '@rogatka/contract/reports.ts'
import { type Look, questionOf } from '../core/look.ts'
import { requirePurpose, requirePurposeForFile } from '../core/purpose.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { requireStepUpForFile } from '../core/step-up.ts'
import { findReportRequest } from './link-queries.ts'
import type { FileLook, ReportKind } from './report.ts'
import type { SendFile } from './send-file.ts'

const criteriaOf = (report: string, criteria: Look['criteria']) => ({ criteria: { report, ...criteria } })

const isSearchByPlate = (_: unknown, look: FileLook): boolean => look?.asked?.some((plate) => plate !== '') ?? false

/** Registers the report links: the file is generated row by row while it is sent. */
export function reportRoutes(api: Api, kinds: readonly ReportKind[], sendFile: SendFile): void {
  route(api, file, async (call) => {
    const { db, readDb, session, now, params } = call
    const reportRequest = await findReportRequest(db, params.token, session.userId, now)
    const kind = kinds.find(({ name }) => name === reportRequest?.kind)
    if (!reportRequest || !kind) throw new Refusal('not-found', 404)
    if (!hasAnyRight(session.permissions, kind.access)) throw new Refusal('forbidden', 403)
    const { language, printedBy, number } = reportRequest
    const query = kind.query.parse(reportRequest.query)
    const context = { db: readDb, session, now, language, printedBy, number, issuer: api.config.ownerCompany }
    await sendFile(call, kind.name, async (signal) => {
      const shows = await kind.shows({ ...context, signal }, query)
      const { criteria, asked } = questionOf({ params: {}, query: reportRequest.query })
      const look = shows && {
        ...criteriaOf(kind.name, criteria),
        ...(asked && { asked }),
        kind: 'file' as const,
        ...shows,
      }
      // Also what was asked when the file was ordered: the purpose may have ended since.
      if ((kind.needsPurpose ?? isSearchByPlate)(query, look)) await requirePurpose(api, session)
      if (look) await requirePurposeForFile(api, session, look.shown.count)
      if (look) await requireStepUpForFile(db, session, now, look.shown.count)
      await call.look(look)
      return kind.create({ ...context, signal }, query)
    })
  })
}
