import type { MonthTicket } from '@rogatka/contract/tickets.ts'
import { LINE_HEIGHT, MAX_LINES, ROW_PADDING, TABLE_TOP } from '@rogatka/domain/tickets/document.ts'
import type { Month } from '@rogatka/domain/tickets/downtime.ts'
import { durationText } from '@rogatka/domain/tickets/duration.ts'
import { z } from 'zod'
import { numberFormat } from '../core/text.ts'
import { warsawTime } from '../core/warsaw.ts'
import type { DocumentSigner } from '../evidence/public-api.ts'
import {
  type DrawTools,
  INK,
  inOneBatch,
  type PageColumn,
  pdfAnnex,
  pdfTable,
  reportKind,
} from '../reports/public-api.ts'
import { monthAvailability } from './availability.ts'
import { availabilityTable } from './availability-report.ts'
import { findMonthFailures } from './month.ts'
import { monthName, ticketTexts } from './texts.ts'

const FONT_SIZE = 8

/** tickets_10_2026.pdf */
const fileName = ({ year, month }: Month) => `tickets_${String(month).padStart(2, '0')}_${year}.pdf`

/** The monthly failure report, to be signed by both sides, with the availability of the stations as an annex. */
export const ticketReport = (organization: string | null, documents: DocumentSigner) =>
  reportKind({
    name: 'tickets',
    access: ['Tickets'],
    query: z.object({ year: z.int(), month: z.int() }),
    shows: () => null,
    create: async ({ db, now, language, printedBy, number, issuer }, month) => {
      const texts = ticketTexts(language)
      const availability = await monthAvailability(db, month, now)
      const signature = documents.begin({ language, now })
      const { content, totalDurationMinutes } = await findMonthFailures(db, month, organization, now)
      const text = (
        title: string,
        width: number,
        of: (ticket: MonthTicket) => string,
        align: 'left' | 'right' = 'left',
      ): PageColumn<MonthTicket> => ({
        title,
        width,
        align,
        draw: (ticket, { x, width, base }, { pdf }) =>
          pdf.text(of(ticket), align === 'right' ? x + width : x, base, { size: FONT_SIZE, align }),
      })
      const description: PageColumn<MonthTicket> = {
        title: texts.columns.description,
        width: 330,
        draw: (ticket, { x, width, base }, tools) => {
          for (const [i, line] of linesOf(ticket, width, tools).entries())
            tools.pdf.text(line.text, x, base + i * LINE_HEIGHT, {
              size: FONT_SIZE,
              face: line.strong ? 'strong' : 'text',
              color: line.strong ? INK.text : INK.secondary,
            })
        },
      }
      const table = pdfTable<MonthTicket>({
        title: ticketTexts.format(language, 'title', { month: monthName(month, language), year: String(month.year) }),
        criteria: [],
        top: TABLE_TOP,
        language,
        now,
        printedBy,
        number,
        issuer,
        signer: signature.signer,
        columns: [
          text(texts.columns.number, 52, ({ number }) => number),
          description,
          text(texts.columns.reported, 92, ({ created_at }) => warsawTime(created_at)),
          text(texts.columns.removed, 92, ({ close_at }) => (close_at ? warsawTime(close_at) : texts.open)),
          text(texts.columns.duration, 84, (ticket) => durationText(ticket.durationMinutes), 'right'),
          text(texts.columns.total, 84, (ticket) => durationText(ticket.totalDurationMinutes), 'right'),
        ],
        rows: inOneBatch(content),
        rowHeight: (ticket, widths, tools) => linesOf(ticket, widths[1] ?? 0, tools).length * LINE_HEIGHT + ROW_PADDING,
        summary: () => [
          [texts.organization, organization ?? issuer],
          [texts.count, numberFormat(language).format(content.length)],
          [texts.totalDuration, durationText(totalDurationMinutes)],
          [texts.noteLabel, texts.note],
          ...signature.lines,
        ],
        signatures: [texts.orderer, texts.contractor],
        annexes: availability.stations.length > 0 ? [pdfAnnex(availabilityTable({ language }, availability))] : [],
      })
      return { name: fileName(month), content: signature.signParts(table) }
    },
  })

/** The title, and the description as far as it fits. */
function linesOf({ title, description }: MonthTicket, width: number, { pdf }: DrawTools) {
  const lines = [
    ...pdf.wrap(title, width, 'strong', FONT_SIZE).map((text) => ({ text, strong: true })),
    ...description
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .flatMap((line) => pdf.wrap(line, width, 'text', FONT_SIZE))
      .map((text) => ({ text, strong: false })),
  ]
  if (lines.length <= MAX_LINES) return lines
  const last = lines[MAX_LINES - 1]
  return [
    ...lines.slice(0, MAX_LINES - 1),
    { text: pdf.fit(`${last?.text} …`, width, 'text', FONT_SIZE), strong: false },
  ]
}
