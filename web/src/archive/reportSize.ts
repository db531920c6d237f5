import type { ReportType } from '@rogatka/contract/reports.ts'
import { archivePages } from '@rogatka/domain/archive/document.ts'
import type { ReportSize } from '../core/frame/useReportSize.tsx'

/** Axles of a vehicle, for lists with a row for each axle: a lorry has five, a car two. */
const AXLES_PER_VEHICLE = 4

/** The size of a list of these vehicles; that of a row for each axle is an estimate. */
export function reportSize(type: ReportType, vehicles: number): ReportSize {
  if (type.endsWith('-axles')) return { rows: AXLES_PER_VEHICLE * vehicles, isEstimate: true }
  return type.startsWith('pdf') ? { pages: archivePages(vehicles, type === 'pdf-with-image') } : { rows: vehicles }
}
