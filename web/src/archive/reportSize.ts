import type { ReportType } from '@rogatka/contract/reports.ts'
import { archivePages } from '@rogatka/domain/archive/document.ts'
import type { ReportSize } from '../core/frame/useReportSize.tsx'

/** The size of a list of these vehicles; that of a row for each axle is unknown. */
export function reportSize(type: ReportType, vehicles: number): ReportSize | null {
  if (type.endsWith('-axles')) return null
  return type.startsWith('pdf') ? { pages: archivePages(vehicles, type === 'pdf-with-image') } : { rows: vehicles }
}
