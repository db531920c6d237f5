import type { Language } from '@rogatka/contract/languages.ts'
import type { MonthTicket } from '@rogatka/contract/tickets.ts'
import type { Month } from '@rogatka/domain/tickets/downtime.ts'
import { durationText } from '@rogatka/domain/tickets/duration.ts'
import { z } from 'zod'
import { interpolate, numberFormat } from '../core/text.ts'
import { warsawTime } from '../core/warsaw.ts'
import {
  type DrawTools,
  FIRST_BASE,
  INK,
  inOnePart,
  type PageColumn,
  pdfTable,
  reportKind,
} from '../reports/public-api.ts'
import { failuresOf } from './month.ts'
import { ticketTexts } from './texts.ts'

/** Points of a millimetre. */
const MM = 72 / 25.4
/** Where the table stands: 20 mm from the upper edge. */
const TABLE_TOP = 20 * MM
const SIZE = 8
const LINE = 10.5
/** Of a description; the rest is in the portal. */
const MAX_LINES = 8

/** tickets_10_2026.pdf */
const nameOf = ({ year, month }: Month) => `tickets_${String(month).padStart(2, '0')}_${year}.pdf`

/** October, in the language's own word as it stands alone. */
const monthName = ({ year, month }: Month, language: Language): string =>
  new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(year, month - 1, 1))

/** The monthly table of failures, to be signed by both sides. */
export const ticketReport = (organization: string | null) =>
  reportKind({
    name: 'tickets',
    access: ['Tickets'],
    query: z.object({ year: z.int(), month: z.int() }),
    create: async ({ db, now, language, printedBy, number, issuer }, month) => {
      const words = ticketTexts(language)
      const { content, totalDurationMinutes } = await failuresOf(db, month, organization, now)
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
          pdf.text(of(ticket), align === 'right' ? x + width : x, base, { size: SIZE, align }),
      })
      const description: PageColumn<MonthTicket> = {
        title: words.columns.description,
        width: 330,
        draw: (ticket, { x, width, base }, tools) => {
          for (const [i, line] of linesOf(ticket, width, tools).entries())
            tools.pdf.text(line.text, x, base + i * LINE, {
              size: SIZE,
              face: line.strong ? 'strong' : 'text',
              color: line.strong ? INK.text : INK.quiet,
            })
        },
      }
      const table = pdfTable<MonthTicket>({
        title: interpolate(words.title, { month: monthName(month, language), year: String(month.year) }),
        criteria: [],
        top: TABLE_TOP,
        language,
        now,
        printedBy,
        number,
        issuer,
        columns: [
          text(words.columns.number, 52, ({ number }) => number),
          description,
          text(words.columns.reported, 92, ({ created_at }) => warsawTime(created_at)),
          text(words.columns.removed, 92, ({ close_at }) => (close_at ? warsawTime(close_at) : words.open)),
          text(words.columns.duration, 84, (one) => durationText(one.durationMinutes), 'right'),
          text(words.columns.total, 84, (one) => durationText(one.totalDurationMinutes), 'right'),
        ],
        rows: inOnePart(content),
        rowHeight: (ticket, widths, tools) => linesOf(ticket, widths[1] ?? 0, tools).length * LINE + FIRST_BASE - 3,
        summary: () => [
          [words.organization, organization ?? issuer],
          [words.count, numberFormat(language).format(content.length)],
          [words.totalDuration, durationText(totalDurationMinutes)],
          [words.noteLabel, words.note],
        ],
        signatures: [words.orderer, words.contractor],
      })
      return { name: nameOf(month), content: table }
    },
  })

/** The title, and below it the description as far as there is room. */
function linesOf({ title, description }: MonthTicket, width: number, { pdf }: DrawTools) {
  const lines = [
    ...pdf.wrap(title, width, 'strong', SIZE).map((text) => ({ text, strong: true })),
    ...description
      .split(/\r?\n/)
      .filter((line) => line.trim() !== '')
      .flatMap((line) => pdf.wrap(line, width, 'text', SIZE))
      .map((text) => ({ text, strong: false })),
  ]
  if (lines.length <= MAX_LINES) return lines
  const last = lines[MAX_LINES - 1]
  return [...lines.slice(0, MAX_LINES - 1), { text: pdf.fit(`${last?.text} …`, width, 'text', SIZE), strong: false }]
}
