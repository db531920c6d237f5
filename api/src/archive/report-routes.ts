import { historyReport, report } from '@rogatka/contract/archive.ts'
import { locationOf } from '@rogatka/contract/ingest.ts'
import { hasPlates, type ReportType, reportLimits } from '@rogatka/contract/reports.ts'
import { MAX_PLATES_WITHOUT_PURPOSE } from '@rogatka/contract/trail.ts'
import { isAnonymised } from '../core/anonymity.ts'
import { disconnectSignal } from '../core/disconnect.ts'
import type { PassageKey } from '../core/passage.ts'
import { requirePurpose } from '../core/purpose.ts'
import { Refusal, refuseFields } from '../core/refusal.ts'
import { type Api, type Call, route } from '../core/route.ts'
import { createReportLink } from '../reports/public-api.ts'
import { findArchived, requirePackage, vehicleByKey } from '../vehicle/public-api.ts'
import { historyFilters } from './history.ts'
import { type ArchiveList, LIST_NAME } from './report.ts'
import { archiveFiltersOf } from './saved-searches.ts'
import { countOf } from './search.ts'

type LinkReply = Promise<{ link: string }>
/** Creates the evidence sheet of one vehicle, alone or in a package. */
type CreateEvidenceReport = (call: Call<typeof report>, key: PassageKey, type: 'pdf' | 'zip', name: string) => LinkReply

/** Registers the reports of a search or of one vehicle. */
export function archiveReportRoutes(api: Api, list: ArchiveList, createEvidence: CreateEvidenceReport): void {
  route(api, report, async (call) => {
    const { readDb, session, query, reply } = call
    const { reportType, withTags = false } = query
    if (query.id !== undefined) return reportVehicle(call, query.id)
    const search = await archiveFiltersOf(api, call)
    if (search.plateLpr || search.plates?.length) await requirePurpose(api, session)
    const count = await countOf(readDb, search, session, disconnectSignal(reply))
    refuseTooLarge(reportType, count)
    if (count > MAX_PLATES_WITHOUT_PURPOSE && hasPlates(reportType)) await requirePurpose(api, session)
    return createReportLink(call, list, { reportType: reportType as never, withTags, search })
  })

  route(api, historyReport, async (call) => {
    const { readDb: db, now, session, params, query, reply } = call
    const { days, reportType } = query
    if (isAnonymised(session)) throw new Refusal('plates-are-anonymised', 403)
    await requirePurpose(api, session)
    const key = await findArchived(db, { id: params.id, ...query }, now)
    const vehicle = key && (await vehicleByKey(db, key))
    if (!vehicle?.plateLpr) throw new Refusal('vehicle-not-found', 404)
    const search = await historyFilters(db, vehicle, days, now)
    refuseTooLarge(reportType, await countOf(db, search, session, disconnectSignal(reply)))
    return createReportLink(call, list, { reportType, withTags: false, search, plateLpr: vehicle.plateLpr })
  })

  async function reportVehicle(call: Call<typeof report>, id: number): LinkReply {
    const { db, now, query, session } = call
    const { reportType, withTags = false, createdAt } = query
    if (reportType === 'zip') await requirePackage(api, session)
    const key = await findArchived(db, { id, locationId: query.locationId ?? locationOf(id), createdAt }, now)
    if (!key) throw new Refusal('vehicle-not-found', 404)
    if (reportType === 'zip') return createEvidence(call, key, 'zip', LIST_NAME)
    if (reportType === 'pdf' || reportType === 'pdf-with-image') return createEvidence(call, key, 'pdf', LIST_NAME)
    return createReportLink(call, list, { reportType, withTags, vehicle: key })
  }
}

function refuseTooLarge(type: ReportType, count: number): void {
  const limit = reportLimits[type]
  if (count > limit) throw refuseFields(422, [{ path: null, code: 'report-too-large', params: { count, limit } }])
}
