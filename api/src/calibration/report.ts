import { report } from '@rogatka/contract/calibration.ts'
import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import type { z } from 'zod'
import { interpolate } from '../core/text.ts'
import { warsawTime } from '../core/warsaw.ts'
import {
  type ChartSheet,
  type Column,
  criteriaSheet,
  csv,
  type ReportContext,
  reportKind,
  reportTexts,
  stampedName,
  xlsxCharts,
} from '../reports/public-api.ts'
import { calibrationTexts } from './graph.ts'
import { evaluateLanes, knownLocations, resolutionFor } from './lanes.ts'
import {
  type CalibrationReport,
  figureColumns,
  type LaneAnswer,
  laneName,
  type Period,
  printedChart,
  referenceLine,
} from './report-figures.ts'
import { renderPdf } from './report-pages.ts'

/** The figures of lanes with chart and reference: a document, a workbook, or a table of text. */
export const calibrationReportKind = reportKind({
  name: 'calibration',
  access: ['UserManagement'],
  query: report.query,
  create: async (given, query) => {
    const { dateTimeStart: from, dateTimeEnd: to, locations, shows, reportType } = query
    const hours = query.statResolutionValue ?? resolutionFor(from, to)
    const answer = await evaluateLanes(given.db, { from, to, hours, locations })
    const asked = { ...given, shows, answer, criteria: await criteriaOf(given, query, hours) }
    const content = { pdf: renderPdf, xlsx: renderXlsx, csv: asTable }[reportType](asked)
    return { name: stampedName('calibration', given.now, reportType), content }
  },
})

/** What was asked for, and by whom and when the report was made. */
async function criteriaOf(
  { db, language, printedBy, now }: ReportContext,
  { dateTimeStart, dateTimeEnd, locations, shows }: z.output<typeof report.query>,
  hours: number,
): Promise<[string, string][]> {
  const texts = calibrationTexts(language)
  const kit = reportTexts(language)
  const stations = await knownLocations(db, [...new Set(locations)])
  return [
    [texts.report.shows, texts[shows]],
    [texts.report.range, `${warsawTime(dateTimeStart)} – ${warsawTime(dateTimeEnd)}`],
    [texts.report.resolution, interpolate(texts.report.hours, { hours: String(hours) })],
    [texts.report.stations, stations.map(({ shortName }) => shortName).join(', ')],
    [kit['printed-by'], printedBy],
    [kit['printed-at'], warsawTime(now)],
  ]
}

/** A sheet for each lane: its table, the newest period first as on the screen, and its chart to the right. */
function renderXlsx(asked: CalibrationReport): AsyncGenerator<Buffer> {
  const { answer, criteria, language, shows } = asked
  const texts = calibrationTexts(language)
  async function* sheets(): AsyncGenerator<ChartSheet<Period>> {
    for (const lane of answer.lanes) {
      yield {
        name: laneName(lane, language),
        title: laneName(lane, language),
        subtitle: `${texts[shows]}; ${referenceLine(lane, language)}`,
        chart: { bytes: await printedChart(asked, lane), width: GRAPH_WIDTH, height: GRAPH_HEIGHT },
        columns: [
          { title: texts.report.columns.time, width: 20, value: ({ dateTime }) => dateTime },
          ...figureColumns(language),
        ],
        frozen: 1,
        rows: lane.periods.toReversed(),
      }
    }
  }
  return xlsxCharts(criteriaSheet(asked, texts.report.title, criteria), sheets())
}

/** One table of all lanes; the reference stands in each row, because there is no other place for it. */
function asTable({ answer, language }: CalibrationReport): AsyncGenerator<Buffer> {
  const { columns } = calibrationTexts(language).report
  type Row = { lane: LaneAnswer; period: Period }
  async function* rows(): AsyncGenerator<Row[]> {
    for (const lane of answer.lanes) yield lane.periods.toReversed().map((period) => ({ lane, period }))
  }
  const reference: Column<Row>[] = [
    { title: columns.reference, width: 16, decimals: 0, value: ({ lane }) => lane.reference.firstAxleAvg },
    { title: columns.referenceCount, width: 16, value: ({ lane }) => lane.reference.counter },
    { title: columns.finishedAt, width: 19, value: ({ lane }) => lane.reference.finishedAt },
    { title: columns.finishedBy, width: 19, value: ({ lane }) => lane.reference.finishedBy },
  ]
  return csv<Row>(
    [
      { title: columns.station, width: 20, value: ({ lane }) => lane.location.shortName },
      { title: columns.lane, width: 8, value: ({ lane }) => lane.laneNumber },
      { title: columns.time, width: 19, value: ({ period }) => period.dateTime },
      ...figureColumns(language).map(({ title, width, decimals, value }) => ({
        title,
        width,
        decimals,
        value: ({ period }: Row) => value(period),
      })),
      ...reference,
    ],
    rows(),
    language,
  )
}
