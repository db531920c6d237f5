import type { Language } from '@rogatka/contract/languages.ts'
import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import { exceedsDeviation } from '@rogatka/domain/calibration/chart.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import { interpolate } from '../core/text.ts'
import type { Column, ReportContext } from '../reports/public-api.ts'
import { calibrationTexts, laneChartPng, referenceText } from './graph.ts'
import type { CalibrationAnswer } from './lanes.ts'

export type LaneAnswer = CalibrationAnswer['lanes'][number]
export type Period = LaneAnswer['periods'][number]

/** What a report is made from. */
export type CalibrationReport = ReportContext & {
  shows: 'load' | 'deviation'
  answer: CalibrationAnswer
  criteria: readonly [string, string][]
}

/** Charts are printed, so they have more pixels than they take on the sheet. */
const PRINT_SCALE = 2
const SIZE = { graphWidth: GRAPH_WIDTH, graphHeight: GRAPH_HEIGHT }

/** The name of a lane with its station. */
export const laneName = ({ location, laneNumber }: LaneAnswer, language: Language): string =>
  interpolate(calibrationTexts(language).lane, { location: location.shortName, lane: String(laneNumber) })

/** The reference, and the calibrations of the range. */
export function referenceLine(lane: LaneAnswer, language: Language): string {
  const { report } = calibrationTexts(language)
  const finishes = lane.finishes.map((at) => periodLabel(at, 'minute'))
  const said = referenceText(lane.reference, language)
  return finishes.length > 0 ? `${said}; ${report.finishes}: ${finishes.join(', ')}` : said
}

/** The chart of a lane for print: PNG. */
export const printedChart = ({ answer, shows, language }: CalibrationReport, lane: LaneAnswer): Promise<Buffer> =>
  laneChartPng(lane, answer.starts, SIZE, { shows, language, scale: PRINT_SCALE })

/** The figures of a period, as on the screen. */
export function figureColumns(language: Language): (Column<Period> & { decimals: number })[] {
  const { columns } = calibrationTexts(language).report
  return [
    { title: columns.load, width: 16, decimals: 0, value: ({ firstAxleAvg }) => firstAxleAvg },
    { title: columns.cov, width: 16, decimals: 1, value: ({ firstAxleCov }) => firstAxleCov },
    { title: columns.count, width: 12, decimals: 0, value: ({ counter }) => counter },
    {
      title: columns.deviation,
      width: 14,
      decimals: 1,
      value: ({ deviationFromReference }) => deviationFromReference,
      isRed: ({ deviationFromReference }) => exceedsDeviation(deviationFromReference),
    },
    { title: columns.confidence, width: 12, decimals: 1, value: ({ confidence }) => confidence },
  ]
}
