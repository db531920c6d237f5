import { listPages, pagesOfRows } from '../core/listDocument.ts'

/*
 * Layout of the PDFs of tickets and availability in points, used by the server for drawing and by the screen to predict the
 * number of pages.
 */

/** Points per millimetre. */
const MM = 72 / 25.4
/** Top of the table of a month: 20 mm from the upper edge. */
export const TABLE_TOP = 20 * MM
const HEADER_HEIGHT = 26

export const LINE_HEIGHT = 10.5
/** Height of a row without its lines. */
export const ROW_PADDING = 9
/** Lines of a title and description in a row; the full description is in the portal. */
export const MAX_LINES = 8
/** Of the column of descriptions, on average. */
const CHARACTERS_PER_LINE = 80
/** Organization, count, duration, and a note; one more or two say who signs it. */
const SUMMARY_LINES = 4
/** Of the values of the summary, on average. */
const SUMMARY_CHARACTERS = 140

/** Lines of the summary of availability, which gains one by a contract and those of the signature, and of its legend. */
const AVAILABILITY_LINES = 2
const LEGEND_LINES = 5
/** Issuer and number. */
const AVAILABILITY_CRITERIA = 2

type Text = { title: string; description: string }
/** The availability of a month, as far as it tells its length. */
type Availability = { stations: readonly unknown[]; contractPercent: number | null; signature: string | null }

const signatureLines = ({ signature }: Availability): number =>
  signature === null ? 0 : Math.max(1, Math.ceil(signature.length / SUMMARY_CHARACTERS))

const pagesOf = ({ stations, contractPercent }: Availability, criteria: number, signatureLines: number): number =>
  listPages(stations.length, {
    criteria,
    blocks: [AVAILABILITY_LINES + (contractPercent === null ? 0 : 1) + signatureLines, LEGEND_LINES],
  })

/** Number of pages of the availability of a month, approximately. */
export const availabilityPages = (availability: Availability): number =>
  pagesOf(availability, AVAILABILITY_CRITERIA, signatureLines(availability))

/** Number of pages of the tickets of a month, with its availability as an unsigned annex, approximately. */
export function monthPages(tickets: readonly Text[], availability: Availability): number {
  const pages = pagesOfRows(
    tickets.map((ticket) => linesOf(ticket) * LINE_HEIGHT + ROW_PADDING),
    { top: TABLE_TOP + HEADER_HEIGHT, blocks: [SUMMARY_LINES + signatureLines(availability)], hasSignatures: true },
  )
  return pages + (availability.stations.length > 0 ? pagesOf(availability, 0, 0) : 0)
}

const linesOf = ({ title, description }: Text): number =>
  Math.min(
    MAX_LINES,
    [title, ...description.split(/\r?\n/)].reduce(
      (lines, text) => lines + Math.ceil(text.trim().length / CHARACTERS_PER_LINE),
      0,
    ),
  )
