import { report } from '@rogatka/contract/current.ts'
import { locationOf } from '@rogatka/contract/ingest.ts'
import { Refusal } from '../core/refusal.ts'
import { type Api, route } from '../core/route.ts'
import { createReportLink } from '../reports/public-api.ts'
import type { EvidenceReport } from './evidence.ts'
import { requirePackage } from './package-access.ts'
import { findRecent } from './queries.ts'

/** Registers the evidence sheet of the live list; the archive has its own route. */
export function evidenceRoutes(api: Api, evidence: EvidenceReport): void {
  route(api, report, async (call) => {
    const { db, now, params, query, session } = call
    const { reportType, locationId = locationOf(params.id), createdAt } = query
    if (reportType === 'zip') await requirePackage(api, session)
    const key = await findRecent(db, { id: params.id, locationId, createdAt }, now)
    if (!key) throw new Refusal('vehicle-not-found', 404)
    return createReportLink(call, evidence, { ...key, reportType, name: 'vehicle' })
  })
}
