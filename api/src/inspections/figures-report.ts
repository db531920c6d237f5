import { figuresReport as endpoint } from '@rogatka/contract/inspections-figures.ts'
import type { Location } from '@rogatka/contract/locations.ts'
import type { Selection } from '@rogatka/contract/options.ts'
import { laneId } from '@rogatka/contract/options.ts'
import { differenceOf, type Pair } from '@rogatka/domain/inspections/differences.ts'
import type { z } from 'zod'
import { warsawTime } from '../core/warsaw.ts'
import {
  type Column,
  criteriaSheet,
  csv,
  type ReportContext,
  reportKind,
  reportTexts,
  stampedName,
} from '../reports/public-api.ts'
import { maySeeNumbers, scopeOf, selectionsOf, toStation } from './figures.ts'
import { everyPairRow, type PairRow, type Scope } from './figures-queries.ts'
import { renderPdf } from './figures-report-pages.ts'
import { renderXlsx } from './figures-workbook.ts'
import { pairsOf } from './pairs.ts'
import { inspectionTexts } from './texts.ts'
import { numberOf } from './view.ts'

export type FiguresReport = ReturnType<typeof figuresReport>

/** Rates, differences and accuracy classes as PDF; every pair as XLSX, with charts of the hit rates, or as CSV. */
export const figuresReport = (shiftStarts: readonly string[]) =>
  reportKind({
    name: 'effectiveness',
    access: ['Stat'],
    query: endpoint.query,
    shows: () => null,
    create: async (context, query) => {
      const { db, language, now } = context
      const { scope, stations } = await scopeOf(db, query)
      const chosen = selectionsOf(query.selections)
      const criteria = criteriaOf(context, query, stations, chosen)
      const name = stampedName('effectiveness', now, query.reportType)
      const { title } = inspectionTexts(language).figures
      if (query.reportType === 'pdf') {
        const document = { ...context, title, criteria, scope, stations, chosen, shiftStarts, lane: query.lane }
        return { name, content: renderPdf(document) }
      }
      const columns = columnsOf(context, stations)
      const pairs = everyPair(context, scope, chosen)
      if (query.reportType === 'csv') return { name, content: csv(columns, pairs, language) }
      const about = criteriaSheet(context, title, criteria)
      const book = { ...context, about, range: rangeOf(query), scope, stations, shiftStarts, columns, pairs }
      return { name, content: renderXlsx(book) }
    },
  })

type Query = z.output<typeof endpoint.query>

const rangeOf = ({ dateTimeStart, dateTimeEnd }: Query) => `${warsawTime(dateTimeStart)} – ${warsawTime(dateTimeEnd)}`

/** The criteria, author and time of the report. */
function criteriaOf(
  { language, printedBy, now }: ReportContext,
  query: Query,
  stations: readonly Location[],
  chosen: readonly Selection[],
): [string, string][] {
  const { locations = [], lanes = [] } = query
  const { figures, selections } = inspectionTexts(language)
  const shared = reportTexts(language)
  const names = stations.map(({ shortName }) => shortName).join(', ')
  return [
    [figures.range, rangeOf(query)],
    [figures.stations, locations.length > 0 ? names : figures.all],
    [figures.lanes, lanes.length > 0 ? laneNames(stations, lanes) : figures.all],
    [figures.pairs, chosen.map((selection) => selections[selection]).join(', ')],
    [figures.plan, figures.conditions],
    ...(chosen.includes('preselected') ? [[figures.remark, figures.biased] as [string, string]] : []),
    [shared['printed-by'], printedBy],
    [shared['printed-at'], warsawTime(now)],
  ]
}

/** `S8 Wyszków 1, 2; …` */
const laneNames = (stations: readonly Location[], lanes: readonly number[]): string =>
  stations
    .map(({ id, shortName, lanes: all }) => ({
      shortName,
      chosen: all.filter(({ laneNumber }) => lanes.includes(laneId(id, laneNumber))),
    }))
    .filter(({ chosen }) => chosen.length > 0)
    .map(({ shortName, chosen }) => `${shortName} ${chosen.map(({ laneNumber }) => laneNumber).join(', ')}`)
    .join('; ')

/** A pair with its vehicle. */
type Row = { vehicle: PairRow; pair: Pair }

async function* everyPair({ db }: ReportContext, scope: Scope, chosen: readonly Selection[]): AsyncGenerator<Row[]> {
  for await (const batch of everyPairRow(db, scope, chosen))
    yield batch.flatMap((vehicle) => pairsOf(vehicle).map((pair) => ({ vehicle, pair })))
}

/** The columns of a pair; numbers of inspections only for those who may see them. */
function columnsOf({ session, language }: ReportContext, stations: readonly Location[]): Column<Row>[] {
  const { figures, facts, selections } = inspectionTexts(language)
  const { columns, criteria } = figures
  const number: Column<Row> = { title: facts.number, width: 18, value: ({ vehicle }) => numberOf(vehicle) }
  return [
    { title: facts.measured, width: 20, value: ({ vehicle }) => vehicle.at },
    { title: facts.station, width: 22, value: ({ vehicle }) => toStation(stations, vehicle.locationId).shortName },
    { title: columns.lane, width: 8, value: ({ vehicle }) => vehicle.laneNumber },
    { title: facts.selection, width: 22, value: ({ vehicle }) => selections[vehicle.selection] },
    ...(maySeeNumbers(session) ? [number] : []),
    { title: columns.criterion, width: 20, value: ({ pair }) => criteria[pair.criterion] },
    { title: columns.wim, width: 12, value: ({ pair }) => pair.wim },
    { title: columns.static, width: 16, value: ({ pair }) => pair.scale },
    { title: columns.kg, width: 14, value: ({ pair }) => pair.wim - pair.scale },
    { title: columns.percent, width: 14, decimals: 2, value: ({ pair }) => differenceOf(pair) },
  ]
}
