import { z } from 'zod'
import { endpoint } from './endpoint.ts'

/**
 * Report types: document, table, each also with images, tables for calculation with a row for each vehicle (loads) or
 * each axle, truck weight records of the FHWA (layouts of 2013 and 2001, the latter in 100 kg or 100 lb), Parquet for data
 * frames, or an evidence ZIP.
 */
export const reportTypes = [
  'pdf',
  'pdf-with-image',
  'csv',
  'csv-with-image',
  'csv-loads',
  'csv-axles',
  'xlsx',
  'xlsx-with-image',
  'xlsx-loads',
  'xlsx-axles',
  'w-2013',
  'w-2001',
  'w-2001-us',
  'parquet',
  'zip',
] as const
export type ReportType = (typeof reportTypes)[number]

/** For lists of vehicles. */
export const listTypes = reportTypes.filter((type) => type !== 'zip')

/** Types without plates, which the detections of one plate do not have. */
const isWithoutPlates = (type: ReportType) => type === 'parquet' || type.startsWith('w-')

/** Whether a list of this type has the plates of its vehicles: tables for calculation have none. */
export const hasPlates = (type: ReportType) => !isWithoutPlates(type) && !/-(?:loads|axles)$/.test(type)

/** For the detections of one plate. */
export const historyTypes = listTypes.filter((type) => !isWithoutPlates(type))

/** For one vehicle: its evidence sheet, or a ZIP of it with images and checksums. */
export const evidenceTypes = ['pdf', 'pdf-with-image', 'zip'] as const

/** Maximum number of rows of a report, or of vehicles; more are rejected with `report-too-large`. */
export const reportLimits: Record<ReportType, number> = {
  pdf: 50_000,
  'pdf-with-image': 2_000,
  csv: 250_000,
  'csv-with-image': 2_000,
  'csv-loads': 250_000,
  'csv-axles': 250_000,
  xlsx: 250_000,
  'xlsx-with-image': 2_000,
  'xlsx-loads': 100_000,
  // A sheet has 1,048,576 rows.
  'xlsx-axles': 50_000,
  // Without text, streamed.
  'w-2013': 1_000_000,
  'w-2001': 1_000_000,
  'w-2001-us': 1_000_000,
  parquet: 1_000_000,
  zip: 1,
}

/** Validity of a report link in minutes; it can be used several times, by the user who requested it. */
export const REPORT_LINK_MINUTES = 15

/** Response of all report endpoints: the link of the file, relative to the API base. */
export const reportLink = z.object({ link: z.string() })

export const file = endpoint({
  method: 'GET',
  path: '/reports/:token',
  access: 'session',
  summary: 'Streams the file of a report that the caller requested',
  params: z.object({ token: z.string().max(100) }),
  binary: 'application/octet-stream',
  looks: 'file',
})

/** Chart size, px. */
export const GRAPH_WIDTH = 980
export const GRAPH_HEIGHT = 458
