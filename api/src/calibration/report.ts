import { type CalibrationReference, report } from '@rogatka/contract/calibration.ts'
import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import { themes } from '@rogatka/domain/core/chart/theme.ts'
import { isolatedRows } from '@rogatka/domain/statistics/figures.ts'
import type { z } from 'zod'
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
import { evaluateLanes, findLocations, resolutionFor } from './lanes.ts'
import {
  type CalibrationReport,
  figureColumns,
  type LaneResult,
  laneName,
  type Period,
  printedChart,
  referenceLine,
  referenceOfPeriod,
} from './report-figures.ts'
import { renderPdf } from './report-pages.ts'

/** The calibration report as PDF or XLSX with charts, or as CSV. */
export const calibrationReportKind = reportKind({
  name: 'calibration',
  access: ['UserManagement'],
  query: report.query,
  shows: () => null,
  create: async (context, query) => {
    const { dateTimeStart: from, dateTimeEnd: to, locations, shows, reportType } = query
    const hours = query.statResolutionValue ?? resolutionFor(from, to)
    const result = await evaluateLanes(context.db, { from, to, hours, locations })
    const input = { ...context, shows, result, criteria: await criteriaOf(context, query, hours) }
    const content = { pdf: renderPdf, xlsx: renderXlsx, csv: renderCsv }[reportType](input)
    return { name: stampedName('calibration', context.now, reportType), content }
  },
})

/** The criteria, author and time of the report. */
async function criteriaOf(
  { db, language, printedBy, now }: ReportContext,
  { dateTimeStart, dateTimeEnd, locations, shows }: z.output<typeof report.query>,
  hours: number,
): Promise<[string, string][]> {
  const texts = calibrationTexts(language)
  const sharedTexts = reportTexts(language)
  const stations = await findLocations(db, [...new Set(locations)])
  return [
    [texts.report.shows, texts[shows]],
    [texts.report.range, `${warsawTime(dateTimeStart)} – ${warsawTime(dateTimeEnd)}`],
    [texts.report.resolution, calibrationTexts.format(language, 'report.hours', { hours: String(hours) })],
    [texts.report.stations, stations.map(({ shortName }) => shortName).join(', ')],
    [sharedTexts['printed-by'], printedBy],
    [sharedTexts['printed-at'], warsawTime(now)],
  ]
}

/** Columns of a sheet that its chart shows, after that of the time. */
const LOAD_COLUMN = 1
const DEVIATION_COLUMN = 4

/**
 * Rows of the table, newest first. `breaks`: those not joined with the row above, as a calibration lies between; `marks`: the
 * first row with vehicles after each calibration.
 */
function calibrationRows({ sections, periods }: LaneResult): { breaks: number[]; marks: number[] } {
  const rowOf = (period: number) => periods.length - 1 - period
  const begins = sections.map(({ firstPeriod }) => firstPeriod).filter((period) => period > 0)
  const marked = begins.map((begin) => periods.findIndex(({ counter }, period) => period >= begin && counter > 0))
  return {
    // In the table the period before a calibration follows that after it.
    breaks: begins.map((begin) => rowOf(begin - 1)),
    marks: [...new Set(marked)].filter((period) => period >= 0).map(rowOf),
  }
}

/** One sheet per lane: its table, newest period first as on the screen, and its chart on the right. */
function renderXlsx(input: CalibrationReport): AsyncGenerator<Buffer> {
  const { result, criteria, language, shows } = input
  const texts = calibrationTexts(language)
  async function* sheets(): AsyncGenerator<ChartSheet<Period>> {
    for (const lane of result.lanes) {
      const rows = lane.periods.toReversed()
      yield {
        name: (length) => laneName(lane, language, length),
        title: laneName(lane, language),
        subtitle: `${texts[shows]}; ${referenceLine(lane, language)}`,
        chart: { bytes: await printedChart(input, lane), width: GRAPH_WIDTH, height: GRAPH_HEIGHT },
        native: {
          kind: 'line',
          title: `${laneName(lane, language)}: ${texts[shows]}`,
          categories: 0,
          series: [
            {
              column: shows === 'load' ? LOAD_COLUMN : DEVIATION_COLUMN,
              color: themes.light.accent,
              ...calibrationRows(lane),
              isolated: isolatedRows(
                rows.map((period) => (shows === 'load' ? period.firstAxleAvg : period.deviationFromReference)),
              ),
            },
          ],
          isReversed: true,
        },
        columns: [
          { title: texts.report.columns.time, width: 20, value: ({ dateTime }) => dateTime },
          ...figureColumns(language),
        ],
        frozen: 1,
        rows,
      }
    }
  }
  return xlsxCharts(criteriaSheet(input, texts.report.title, criteria), sheets())
}

/** A table of all lanes; each row has the reference of its section. */
function renderCsv({ result, language }: CalibrationReport): AsyncGenerator<Buffer> {
  const { columns } = calibrationTexts(language).report
  type Row = { lane: LaneResult; period: Period; reference: CalibrationReference }
  async function* rows(): AsyncGenerator<Row[]> {
    for (const lane of result.lanes) {
      const rows = lane.periods.map((period, i) => ({ lane, period, reference: referenceOfPeriod(lane, i) }))
      yield rows.toReversed()
    }
  }
  const reference: Column<Row>[] = [
    { title: columns.reference, width: 16, decimals: 0, value: ({ reference }) => reference.firstAxleAvg },
    { title: columns.referenceCount, width: 16, value: ({ reference }) => reference.counter },
    { title: columns.finishedAt, width: 19, value: ({ reference }) => reference.finishedAt },
    { title: columns.finishedBy, width: 19, value: ({ reference }) => reference.finishedBy },
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
