import { report as endpoint } from '@rogatka/contract/statistics-distributions.ts'
import { weekdayNames } from '@rogatka/domain/core/calendar.ts'
import type { z } from 'zod'
import { type Database, SNAPSHOT } from '../core/database.ts'
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
  xlsx,
} from '../reports/public-api.ts'
import {
  equivalentsByStation,
  headwaysByStation,
  loadsByStation,
  profileByStation,
  speedsByStation,
} from './distribution-results.ts'
import { type DistributionRequest, planRequest, summarise } from './distributions.ts'
import { statisticTexts } from './texts.ts'

type FigureName = keyof ReturnType<typeof statisticTexts>['traffic']['figures']

/** A figure of a station, or one bin of a distribution: [from, to) or, of speeds, the whole km/h `from`. */
type Row = {
  location: DistributionRequest['locations'][number]
  figure: FigureName
  /** Month, category, or weekday from 1, Monday. */
  part: string | number | null
  from: number | null
  to: number | null
  unit: string
  value: number | null
}

const SPECTRA = {
  first: 'firstAxles',
  single: 'singleAxles',
  tandem: 'tandemAxles',
  tridem: 'tridemAxles',
  wider: 'widerAxles',
} as const satisfies Record<string, FigureName>

/** End of the last bin of headways, s. */
const LONGEST_HEADWAY = 600

/** All traffic figures of stations as XLSX or CSV. */
export const trafficReport = reportKind({
  name: 'traffic-figures',
  access: ['Stat'],
  query: endpoint.query,
  create: async (context, query) => {
    const { db, language, now } = context
    const rows = await db.transaction(async (db) => rowsOf(db, await planRequest(db, query, now)), { mode: SNAPSHOT })
    const { title, sheet } = statisticTexts(language).traffic
    const name = stampedName('traffic', now, query.reportType)
    if (query.reportType === 'csv') return { name, content: dataCsv(codesOf(), inOneBatch(rows)) }
    const about = criteriaSheet(context, title, criteriaOf(context, query, rows))
    return { name, content: xlsx({ about, sheet, columns: namesOf(context), frozen: 2, rows: inOneBatch(rows) }) }
  },
})

async function rowsOf(db: Database, request: DistributionRequest): Promise<Row[]> {
  const rows: Row[] = []
  const add =
    (location: Row['location']) =>
    (figure: FigureName, unit: string, value: number | null, bin: Partial<Pick<Row, 'part' | 'from' | 'to'>> = {}) =>
      rows.push({ location, figure, part: null, from: null, to: null, unit, value, ...bin })

  // Averages are of whole stations.
  const whole = { ...request, scope: { lanes: null, categories: null } }
  for (const { location, ...summary } of await summarise(db, whole)) {
    const put = add(location)
    put('days', 'd', summary.days)
    put('completeDays', 'd', summary.completeDays)
    put('adt', 'veh/d', summary.adt)
    put('adtOfDay', 'veh', summary.adtOfDayparts.day)
    put('adtOfEvening', 'veh', summary.adtOfDayparts.evening)
    put('adtOfNight', 'veh', summary.adtOfDayparts.night)
    put('adtTuesdayToThursday', 'veh/d', summary.adtTuesdayToThursday)
    put('aadt', 'veh/d', summary.aadt)
    put('aadtMonths', 'month', summary.months)
    for (const { month, factor } of summary.monthFactors) put('monthFactor', '1', factor, { part: month.slice(0, 7) })
    for (const { weekday, factor } of summary.weekdayFactors) put('weekdayFactor', '1', factor, { part: weekday + 1 })
    put('vehicles', 'veh', summary.vehicles)
    put('adtHeavy', 'veh/d', summary.adtHeavy)
    put('overloadedShare', '1', summary.overloadedShare)
    for (const { category, vehicles, weighed, overloaded } of summary.categories) {
      put('categoryVehicles', 'veh', vehicles, { part: category })
      put('categoryWeighed', 'veh', weighed, { part: category })
      put('categoryOverloaded', 'veh', overloaded, { part: category })
    }
    put('meanSpeed', 'km/h', summary.meanSpeed)
    put('v85', 'km/h', summary.v85)
    put('speedLimit', 'km/h', summary.speedLimit)
    put('meanHeadway', 's', summary.meanHeadway)
    put('n100PerDay', 'axles/d', summary.n100PerDay)
  }
  for (const { location, months } of await equivalentsByStation(db, request)) {
    const put = add(location)
    for (const { month, n100, n115, overloadedShare, avoidableShare } of months) {
      const part = month.slice(0, 7)
      put('n100', 'axles', n100, { part })
      put('n115', 'axles', n115, { part })
      put('wearByOverloaded', '1', overloadedShare, { part })
      put('wearAvoidable', '1', avoidableShare, { part })
    }
  }
  for (const { location, weekdays } of await profileByStation(db, request))
    weekdays.forEach((hours, weekday) => {
      hours.forEach((vehicles, hour) => {
        add(location)('profile', 'h', vehicles, { part: weekday + 1, from: hour, to: hour + 1 })
      })
    })
  for (const { location, first, counts } of await speedsByStation(db, request, null))
    counts.forEach((vehicles, bin) => {
      add(location)('speed', 'km/h', vehicles, { from: first + bin, to: first + bin })
    })
  for (const { location, edges, counts, heavyCounts } of await headwaysByStation(db, request))
    edges.forEach((from, bin) => {
      const range = { from, to: edges[bin + 1] ?? LONGEST_HEADWAY }
      add(location)('headway', 's', counts[bin] ?? 0, range)
      add(location)('headwayHeavy', 's', heavyCounts[bin] ?? 0, range)
    })
  for (const { location, gross, spectra } of await loadsByStation(db, request)) {
    const put = add(location)
    const bins = (figure: FigureName, unit: string, { width, counts }: typeof gross) =>
      counts.forEach((count, bin) => {
        put(figure, unit, count, { from: bin * width, to: (bin + 1) * width })
      })
    bins('gross', 't', gross)
    for (const { kind, tonnes, kilonewtons } of spectra) {
      bins(SPECTRA[kind], 't', tonnes)
      bins(SPECTRA[kind], 'kN', kilonewtons)
    }
  }
  return rows
}

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
  const isWeekday = ({ figure }: Row) => figure === 'profile' || figure === 'weekdayFactor'
  return codesOf().map((column) => {
    const title = columns[column.name as keyof typeof columns]
    const value = (row: Row) =>
      column.name === 'figure'
        ? figures[row.figure]
        : column.name === 'part' && isWeekday(row)
          ? (weekdays[Number(row.part) - 1] ?? null)
          : column.value(row)
    return { ...column, title, width: column.name === 'figure' ? 44 : 16, value }
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
