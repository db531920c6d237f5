import type { Inspection } from '@rogatka/contract/inspections.ts'
import type { LegalLimits } from '@rogatka/domain/vehicle/limits.ts'
import type { Database } from '../core/database.ts'
import { limitsDocumentAt, listLegalLimits } from '../locations/public-api.ts'
import { withSteps } from './history.ts'
import type { InspectionRow } from './queries.ts'
import { measuredOf } from './weighing.ts'

/** The law by which the vehicle is judged: at the time of its measurement, without one of the weighing; null if there is none. */
export async function lawOf(db: Database, row: InspectionRow, weighedAt: Date): Promise<LegalLimits | null> {
  const at = measuredOf(row.passage)?.createdAt ?? weighedAt
  return limitsDocumentAt(await listLegalLimits(db, row.locationId), at)?.limits ?? null
}

/** Inspection with its steps and with the law, by which weights are judged before they are sent. */
export async function withDetails(
  db: Database,
  row: InspectionRow,
  inspection: Inspection,
  now: Date,
): Promise<Inspection> {
  const limits = await lawOf(db, row, row.weighedAt ?? now)
  return { ...(await withSteps(db, row, inspection)), limits }
}
