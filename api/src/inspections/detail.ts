import type { Inspection } from '@rogatka/contract/inspections.ts'
import type { LegalLimits } from '@rogatka/domain/vehicle/limits.ts'
import type { Database } from '../core/database.ts'
import { limitsDocumentAt, listLegalLimits } from '../locations/public-api.ts'
import { withSteps } from './history.ts'
import type { InspectionRow } from './queries.ts'
import { measuredOf } from './weighing.ts'

/** The legal limits for the vehicle: in force when it was measured, or weighed if it was not measured; null if there are none. */
export async function legalLimitsOf(db: Database, row: InspectionRow, weighedAt: Date): Promise<LegalLimits | null> {
  const at = measuredOf(row.passage)?.createdAt ?? weighedAt
  return limitsDocumentAt(await listLegalLimits(db, row.locationId), at)?.limits ?? null
}

/** Inspection with its steps and with the legal limits, by which clients evaluate weights before they send them. */
export async function withDetails(
  db: Database,
  row: InspectionRow,
  inspection: Inspection,
  now: Date,
): Promise<Inspection> {
  const limits = await legalLimitsOf(db, row, row.weighedAt ?? now)
  return { ...(await withSteps(db, row, inspection)), limits }
}
