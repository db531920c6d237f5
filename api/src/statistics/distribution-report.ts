import { report as endpoint } from '@rogatka/contract/statistics-distributions.ts'
import { weekdayNames } from '@rogatka/domain/core/calendar.ts'
import type { z } from 'zod'
import { readUnderSemaphore } from '../core/call-semaphore.ts'
import type { Database } from '../core/database.ts'
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
  timeClassCountryCriteria,
} from '../reports/public-api.ts'
import { figuresParquet } from './distribution-parquet.ts'
import { isWeekdayPart, type Row, rowsOf } from './distribution-rows.ts'
import { renderWorkbook } from './distribution-workbook.ts'
import { categoriesIn, planRequest } from './distributions.ts'
import { statisticTexts } from './texts.ts'

/** All traffic figures of stations as XLSX, CSV or Parquet. */
export const trafficReport = reportKind({
  name: 'traffic-figures',
  access: ['Stat'],
  query: endpoint.query,
  shows: () => null,
  create: async (context, query) => {
    const { language, now } = context
    const rows = await readUnderSemaphore(context, (db) => readRows(db, query, now), 'figures')
    const { title } = statisticTexts(language).traffic
    const name = stampedName('traffic', now, query.reportType)
    const filters = filtersOf(query)
    if (query.reportType === 'csv') return { name, content: dataCsv([...codesOf(), ...filters], inOneBatch(rows)) }
    if (query.reportType === 'parquet') return { name, content: figuresParquet(rows, filters) }
    const about = criteriaSheet(context, title, criteriaOf(context, query, rows))
    const range = `${query.from} – ${query.until}`
    return { name, content: renderWorkbook(context, { about, columns: namesOf(context), range, rows }) }
  },
})

async function readRows(db: Database, query: z.output<typeof endpoint.query>, now: Date): Promise<Row[]> {
  const request = await planRequest(db, query, now)
  return rowsOf(db, request, categoriesIn(query.loadCtg8p1) ?? request.scope.categories)
}

/** A number without decimals that it does not need. */
const plain = (value: number | null): string | null => (value === null ? null : String(Number(value.toFixed(4))))

/** Columns for programs: figures by their codes. */
const codesOf = (): DataColumn<Row>[] => [
  { name: 'station_id', title: '', width: 0, value: ({ location }) => location.id },
  { name: 'station', title: '', width: 0, value: ({ location }) => location.shortName },
  { name: 'figure', title: '', width: 0, value: ({ figure }) => figure },
  { name: 'part', title: '', width: 0, value: ({ part }) => part },
  { name: 'lanes', title: '', width: 0, value: ({ lanes }) => lanes },
  { name: 'categories', title: '', width: 0, value: ({ categories }) => categories },
  { name: 'from', title: '', width: 0, value: ({ from }) => plain(from) },
  { name: 'to', title: '', width: 0, value: ({ to }) => plain(to) },
  { name: 'bin_unit', title: '', width: 0, value: ({ binUnit }) => binUnit },
  { name: 'value', title: '', width: 0, value: ({ value }) => plain(value) },
  { name: 'unit', title: '', width: 0, value: ({ unit }) => unit },
]

/**
 * Columns of filters that all rows have, for programs; the workbook has them as criteria. Weekdays are from 1, Monday, as in
 * the column of parts.
 */
const filtersOf = ({ weekdays, ...query }: z.output<typeof endpoint.query>): DataColumn<Row>[] =>
  (['weekdays', 'hours', 'ctg323', 'nationalities'] as const).map((name) => {
    const values = name === 'weekdays' ? weekdays?.map((weekday) => weekday + 1) : query[name]
    const list = values?.join(' ') || null
    return { name, title: '', width: 0, value: () => list }
  })

/** Columns whose numbers are numbers in the workbook. */
const NUMBERS = ['from', 'to', 'value'] as const
const isNumber = (name: string): name is (typeof NUMBERS)[number] => NUMBERS.some((number) => number === name)

/** The same columns in words. */
function namesOf({ language }: ReportContext) {
  const { columns, figures } = statisticTexts(language).traffic
  const weekdays = weekdayNames(language, 'long')
  return codesOf().map((column) => {
    const { name } = column
    const title = columns[name as keyof typeof columns]
    const value = (row: Row) => {
      if (name === 'figure') return figures[row.figure]
      if (name === 'part' && isWeekdayPart(row.figure)) return weekdays[Number(row.part) - 1] ?? null
      return isNumber(name) ? row[name] : column.value(row)
    }
    // As many decimals as a number has.
    const decimals = name === 'station_id' ? 0 : 4
    return { ...column, title, width: name === 'figure' ? 44 : 16, decimals, value }
  })
}

/** The criteria, author and time of the report. */
function criteriaOf(
  { language, printedBy, now }: ReportContext,
  query: z.output<typeof endpoint.query>,
  rows: readonly Row[],
): [string, string][] {
  const { from, until, laneNumbers = [], ctg8p1 = [], loadCtg8p1 = [] } = query
  const { report } = statisticTexts(language)
  const shared = reportTexts(language)
  const list = (selected: readonly string[]) => (selected.length > 0 ? selected.join(', ') : report.every)
  return [
    [report.range, `${from} – ${until}`],
    [report.locations, [...new Set(rows.map(({ location }) => location.shortName))].join(', ')],
    [report.lanes, list(laneNumbers.map(String))],
    [report.categories, list(ctg8p1.map((category) => shared.categories[category]))],
    ...(loadCtg8p1.length > 0
      ? [[report.loadCategories, list(loadCtg8p1.map((category) => shared.categories[category]))] as [string, string]]
      : []),
    ...timeClassCountryCriteria(query, language),
    [shared['printed-by'], printedBy],
    [shared['printed-at'], warsawTime(now)],
  ]
}
