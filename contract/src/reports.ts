import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/** What a report may be: a document, a table, each with pictures too, or a folder of evidence. */
export const reportTypes = ['pdf', 'pdf-with-image', 'csv', 'csv-with-image', 'xlsx', 'xlsx-with-image', 'zip'] as const
export type ReportType = (typeof reportTypes)[number]

/** Of one vehicle alone: its evidence sheet, or that with the pictures and their hashes. */
export const evidenceTypes = ['pdf', 'pdf-with-image', 'zip'] as const

/** So many rows a report holds at most; more is refused with `report-too-large`. */
export const reportLimits: Record<ReportType, number> = {
  pdf: 50_000,
  'pdf-with-image': 2_000,
  csv: 250_000,
  'csv-with-image': 2_000,
  xlsx: 250_000,
  'xlsx-with-image': 2_000,
  zip: 1,
}

/** Minutes for which the link of a report is valid, again and again, for the user who asked for it. */
export const REPORT_LINK_MINUTES = 15

/** The answer of every endpoint that orders a report: where its file is fetched, below the base. */
export const reportLink = z.object({ link: z.string() })

export const file = endpoint({
  method: 'GET',
  path: '/reports/:token',
  access: 'session',
  summary: 'Streams the file of a report that the caller requested',
  params: z.object({ token: z.string().max(100) }),
  binary: true,
})

/** Pixels of the chart's image. */
export const GRAPH_WIDTH = 980
export const GRAPH_HEIGHT = 458
