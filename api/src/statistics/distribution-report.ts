import { report as endpoint } from '@rogatka/contract/statistics-distributions.ts'
import { weekdayNames } from '@rogatka/domain/core/calendar.ts'
import type { z } from 'zod'
import { SNAPSHOT } from '../core/database.ts'
import { warsawTime } from '../core/warsaw.ts'
import {
  criteriaSheet,
  type DataColumn,
  dataCsv,
  inOneBatch,
  type ReportContext,
  reportKind,
  reportTexts,
  stampedName,
} from '../reports/public-api.ts'
import { isWeekdayPart, type Row, rowsOf } from './distribution-rows.ts'
import { renderWorkbook } from './distribution-workbook.ts'
import { planRequest } from './distributions.ts'
import { statisticTexts } from './texts.ts'

/** All traffic figures of stations as XLSX or CSV. */
export const trafficReport = reportKind({
  name: 'traffic-figures',
  access: ['Stat'],
  query: endpoint.query,
  create: async (context, query) => {
    const { db, language, now } = context
    const rows = await db.transaction(async (db) => rowsOf(db, await planRequest(db, query, now)), { mode: SNAPSHOT })
    const { title } = statisticTexts(language).traffic
    const name = stampedName('traffic', now, query.reportType)
    if (query.reportType === 'csv') return { name, content: dataCsv(codesOf(), inOneBatch(rows)) }
    const about = criteriaSheet(context, title, criteriaOf(context, query, rows))
    const range = `${query.from} – ${query.until}`
    return { name, content: renderWorkbook(context, { about, columns: namesOf(context), range, rows }) }
  },
})

/** Columns for programs: figures by their codes. */
const codesOf = (): DataColumn<Row>[] => [
  { name: 'locationId', title: '', width: 0, value: ({ location }) => location.id },
  { name: 'station', title: '', width: 0, value: ({ location }) => location.shortName },
  { name: 'figure', title: '', width: 0, value: ({ figure }) => figure },
  { name: 'part', title: '', width: 0, value: ({ part }) => part },
  { name: 'from', title: '', width: 0, decimals: 1, value: ({ from }) => from },
  { name: 'to', title: '', width: 0, decimals: 1, value: ({ to }) => to },
  { name: 'unit', title: '', width: 0, value: ({ unit }) => unit },
  { name: 'value', title: '', width: 0, decimals: 4, value: ({ value }) => value },
]

/** The same columns in words. */
function namesOf({ language }: ReportContext) {
  const { columns, figures } = statisticTexts(language).traffic
  const weekdays = weekdayNames(language, 'long')
  return codesOf().map((column) => {
    const title = columns[column.name as keyof typeof columns]
    const value = (row: Row) =>
      column.name === 'figure'
        ? figures[row.figure]
        : column.name === 'part' && isWeekdayPart(row.figure)
          ? (weekdays[Number(row.part) - 1] ?? null)
          : column.value(row)
    // As many decimals as a number has.
    const decimals = column.name === 'locationId' ? 0 : 4
    return { ...column, title, width: column.name === 'figure' ? 44 : 16, decimals, value }
  })
}

/** The criteria, author and time of the report. */
function criteriaOf(
  { language, printedBy, now }: ReportContext,
  { from, until, laneNumbers = [], ctg8p1 = [] }: z.output<typeof endpoint.query>,
  rows: readonly Row[],
): [string, string][] {
  const { report } = statisticTexts(language)
  const shared = reportTexts(language)
  const list = (selected: readonly string[]) => (selected.length > 0 ? selected.join(', ') : report.every)
  return [
    [report.range, `${from} – ${until}`],
    [report.locations, [...new Set(rows.map(({ location }) => location.shortName))].join(', ')],
    [report.lanes, list(laneNumbers.map(String))],
    [report.categories, list(ctg8p1.map((category) => shared.categories[category]))],
    [shared['printed-by'], printedBy],
    [shared['printed-at'], warsawTime(now)],
  ]
}
