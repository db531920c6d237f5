import { type FinishDate, finishDatesReport, REFERENCE_VEHICLES } from '@rogatka/contract/calibration.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { numberFormat } from '../core/text.ts'
import { warsawTime } from '../core/warsaw.ts'
import {
  type Column,
  criteriaSheet,
  csv,
  type DrawTools,
  FIRST_BASELINE,
  inOneBatch,
  type PageColumn,
  pdfTable,
  type ReportContext,
  reportKind,
  reportTexts,
  stampedName,
  xlsx,
} from '../reports/public-api.ts'
import { finishDatesOf } from './finish-dates.ts'
import { calibrationTexts } from './graph.ts'
import { findLocations } from './lanes.ts'

/** The list of finished calibrations, with the revoked ones, as PDF, XLSX or CSV. */
export const calibrationListReport = reportKind({
  name: 'calibration-list',
  access: ['UserManagement'],
  query: finishDatesReport.query,
  shows: () => null,
  create: async (context, { locations: ids, reportType }) => {
    const { db, language, now } = context
    const locations = await findLocations(db, [...new Set(ids)])
    const rows = await finishDatesOf(db, locations)
    const { list, report } = calibrationTexts(language)
    const criteria: [string, string][] = [[report.stations, locations.map(({ shortName }) => shortName).join(', ')]]
    const content = {
      pdf: () => renderPdf(context, criteria, rows),
      xlsx: () => {
        const texts = reportTexts(language)
        const origin: [string, string][] = [
          [texts['printed-by'], context.printedBy],
          [texts['printed-at'], warsawTime(now)],
        ]
        const about = criteriaSheet(context, list.title, [...criteria, ...origin])
        return xlsx({ about, sheet: list.title, columns: columnsOf(language), rows: inOneBatch(rows) })
      },
      csv: () => csv(columnsOf(language), inOneBatch(rows), language),
    }[reportType]()
    return { name: stampedName('calibration_list', now, reportType), content }
  },
})

function columnsOf(language: Language): Column<FinishDate>[] {
  const { list, report } = calibrationTexts(language)
  const { columns } = report
  return [
    { title: columns.station, width: 20, value: ({ location }) => location.shortName },
    { title: columns.lane, width: 8, value: ({ lane }) => lane.laneNumber },
    { title: list.finishedAt, width: 19, value: ({ finishedAt }) => finishedAt },
    { title: columns.reference, width: 16, decimals: 0, value: ({ reference }) => reference?.firstAxleAvg ?? null },
    { title: columns.referenceCount, width: 16, value: ({ collected }) => collected },
    { title: columns.finishedBy, width: 19, value: ({ enteredBy }) => enteredBy },
    { title: list.enteredAt, width: 19, value: ({ enteredAt }) => enteredAt },
    { title: list.correctedAt, width: 19, value: ({ corrected }) => corrected?.at ?? null },
    { title: list.correctedBy, width: 19, value: ({ corrected }) => corrected?.by ?? null },
    { title: list.correctedFrom, width: 19, value: ({ corrected }) => corrected?.from ?? null },
    { title: list.correctReason, width: 40, value: ({ corrected }) => corrected?.reason ?? null },
    { title: list.revokedAt, width: 19, value: ({ revoked }) => revoked?.at ?? null },
    { title: list.revokedBy, width: 19, value: ({ revoked }) => revoked?.by ?? null },
    { title: list.reason, width: 40, value: ({ revoked }) => revoked?.reason ?? null },
  ]
}

/** In points. */
const LINE_HEIGHT = 10
const REASON_WIDTH = 238

/** Who corrected and revoked the calibration, when and why, in lines. */
function reasonLines({ corrected, revoked }: FinishDate, width: number, { pdf }: DrawTools, language: Language) {
  const { format } = calibrationTexts
  const texts = [
    corrected &&
      format(language, 'list.corrected', {
        ...corrected,
        at: warsawTime(corrected.at),
        from: warsawTime(corrected.from),
      }),
    revoked && format(language, 'list.revoked', { ...revoked, at: warsawTime(revoked.at) }),
  ].filter((text) => text !== null)
  return texts.length > 0 ? texts.flatMap((text) => pdf.wrap(text, width)) : ['–']
}

function renderPdf(context: ReportContext, criteria: [string, string][], rows: readonly FinishDate[]) {
  const { language } = context
  const { list, report } = calibrationTexts(language)
  const { columns } = report
  const { format } = numberFormat(language)
  const text = (title: string, width: number, of: (row: FinishDate) => string): PageColumn<FinishDate> => ({
    title,
    width,
    draw: (row, box, { pdf }) => pdf.text(pdf.fit(of(row), box.width), box.x, box.base, { size: 8 }),
  })
  const ofVehicles = ({ reference, revoked, collected }: FinishDate) =>
    reference || revoked
      ? format(collected)
      : calibrationTexts.format(language, 'collected', { collected, needed: REFERENCE_VEHICLES })
  return pdfTable<FinishDate>({
    ...context,
    title: list.title,
    criteria,
    columns: [
      text(columns.station, 100, ({ location }) => location.shortName),
      text(columns.lane, 32, ({ lane }) => String(lane.laneNumber)),
      text(list.finishedAt, 98, ({ finishedAt }) => warsawTime(finishedAt)),
      text(columns.reference, 80, ({ reference }) => (reference ? format(reference.firstAxleAvg) : '–')),
      text(columns.referenceCount, 84, ofVehicles),
      text(columns.finishedBy, 80, ({ enteredBy }) => enteredBy),
      text(list.enteredAt, 98, ({ enteredAt }) => warsawTime(enteredAt)),
      {
        title: list.changes,
        width: REASON_WIDTH,
        draw: (row, box, tools) => {
          for (const [i, line] of reasonLines(row, box.width, tools, language).entries())
            tools.pdf.text(line, box.x, box.base + i * LINE_HEIGHT, { size: 8 })
        },
      },
    ],
    rows: inOneBatch(rows),
    rowHeight: (row, widths, tools) =>
      reasonLines(row, widths.at(-1) ?? REASON_WIDTH, tools, language).length * LINE_HEIGHT + FIRST_BASELINE - 3,
    summary: () => [[list.count, format(rows.length)]],
  })
}
