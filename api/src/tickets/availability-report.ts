import type { Language } from '@rogatka/contract/languages.ts'
import { availabilityReport as endpoint, type StationAvailability } from '@rogatka/contract/tickets-health.ts'
import type { Month } from '@rogatka/domain/tickets/downtime.ts'
import { durationText } from '@rogatka/domain/tickets/duration.ts'
import { numberFormat } from '../core/text.ts'
import { warsawTime } from '../core/warsaw.ts'
import type { DocumentSigner } from '../evidence/public-api.ts'
import {
  type Column,
  criteriaSheet,
  csv,
  inOneBatch,
  type PageColumn,
  type PageTable,
  pdfTable,
  type ReportContext,
  reportKind,
  reportTexts,
  xlsx,
} from '../reports/public-api.ts'
import { type CountedMonth, monthAvailability } from './availability.ts'
import { monthName, ticketTexts } from './texts.ts'

const FONT_SIZE = 8

/** The availability of all stations in a month, as PDF, XLSX or CSV. */
export const availabilityReport = (documents: DocumentSigner) =>
  reportKind({
    name: 'availability',
    access: ['UsersAdmin', 'Tickets'],
    query: endpoint.query,
    shows: () => null,
    create: async (context, { reportType, ...month }) => {
      const { db, language, now } = context
      const found = await monthAvailability(db, month, now)
      const columns = columnsOf(language)
      const content = {
        pdf: () => {
          const { signer, lines, signParts } = documents.begin({ language, now })
          const table = availabilityTable(context, found)
          return signParts(pdfTable({ ...context, ...table, signer, summary: () => [...table.summary(), ...lines] }))
        },
        xlsx: () => {
          const texts = reportTexts(language)
          const about = criteriaSheet(context, titleOf(language, month), [
            ...summaryOf(language, found),
            [texts['printed-by'], context.printedBy],
            [texts['printed-at'], warsawTime(now)],
          ])
          return xlsx({
            about,
            sheet: ticketTexts(language).availability.sheet,
            columns,
            rows: inOneBatch(found.stations),
            frozen: 1,
          })
        },
        csv: () => csv(columns, inOneBatch(found.stations), language),
      }[reportType]()
      return { name: `availability_${String(month.month).padStart(2, '0')}_${month.year}.${reportType}`, content }
    },
  })

const titleOf = (language: Language, month: Month): string =>
  ticketTexts.format(language, 'availability.title', { month: monthName(month, language), year: String(month.year) })

function columnsOf(language: Language): Column<StationAvailability>[] {
  const { columns } = ticketTexts(language).availability
  return [
    { title: columns.station, width: 22, value: ({ location }) => location.shortName },
    { title: columns.counted, width: 14, decimals: 0, value: ({ countedMinutes }) => countedMinutes },
    { title: columns.normal, width: 14, decimals: 0, value: ({ normalMinutes }) => normalMinutes },
    { title: columns.outages, width: 14, decimals: 0, value: outageMinutes },
    { title: columns.stopped, width: 14, decimals: 0, value: ({ stoppedMinutes }) => stoppedMinutes },
    { title: columns.unwatched, width: 16, decimals: 0, value: ({ unwatchedMinutes }) => unwatchedMinutes },
    {
      title: columns.percent,
      width: 14,
      decimals: 1,
      value: ({ percent }) => percent,
      isRed: ({ isBelowContract }) => isBelowContract === true,
    },
  ]
}

const outageMinutes = ({ countedMinutes, normalMinutes }: StationAvailability): number => countedMinutes - normalMinutes

type AvailabilityTable = Pick<
  PageTable<StationAvailability>,
  'title' | 'criteria' | 'columns' | 'rows' | 'summary' | 'legend'
>

/** The table of the availability of a month in a PDF. */
export function availabilityTable({ language }: Pick<ReportContext, 'language'>, found: CountedMonth) {
  const { columns, legend } = ticketTexts(language).availability
  const percent = numberFormat(language, 1)
  const right = (title: string, of: (row: StationAvailability) => string): PageColumn<StationAvailability> => ({
    title,
    width: 96,
    align: 'right',
    draw: (row, { x, width, base }, { pdf }) => pdf.text(of(row), x + width, base, { size: FONT_SIZE, align: 'right' }),
  })
  const table: AvailabilityTable = {
    title: titleOf(language, found),
    criteria: [],
    columns: [
      {
        title: columns.station,
        width: 180,
        draw: ({ location }, { x, width, base }, { pdf }) =>
          pdf.text(pdf.fit(location.shortName, width), x, base, { size: FONT_SIZE }),
      },
      right(columns.countedTime, ({ countedMinutes }) => durationText(countedMinutes)),
      right(columns.normalTime, ({ normalMinutes }) => durationText(normalMinutes)),
      right(columns.outagesTime, (row) => durationText(outageMinutes(row))),
      right(columns.stoppedTime, ({ stoppedMinutes }) => durationText(stoppedMinutes)),
      right(columns.unwatchedTime, ({ unwatchedMinutes }) => durationText(unwatchedMinutes)),
      right(columns.percent, (row) => (row.percent === null ? '–' : percent.format(row.percent))),
    ],
    rows: inOneBatch(found.stations),
    summary: () => summaryOf(language, found),
    legend: [
      [columns.countedTime, legend.counted],
      [columns.outagesTime, legend.outages],
      [columns.stoppedTime, legend.stopped],
      [columns.unwatchedTime, legend.unwatched],
      [columns.percent, legend.percent],
    ],
  }
  return table
}

/** Total, contract and the time up to which it is counted. */
function summaryOf(language: Language, { total, contractPercent, asOf }: CountedMonth): [string, string][] {
  const texts = ticketTexts(language).availability
  const percent = (value: number | null) => (value === null ? '–' : `${numberFormat(language, 1).format(value)} %`)
  return [
    [texts.total, percent(total.percent)],
    ...(contractPercent === null ? [] : [[texts.contract, percent(contractPercent)] as [string, string]]),
    [texts.asOf, warsawTime(asOf)],
  ]
}
