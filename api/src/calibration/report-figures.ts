import type { CalibrationReference } from '@rogatka/contract/calibration.ts'
import type { Language } from '@rogatka/contract/languages.ts'
import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import { exceedsDeviation } from '@rogatka/domain/calibration/chart.ts'
import { periodLabel } from '@rogatka/domain/statistics/periods.ts'
import type { Column, ReportContext } from '../reports/public-api.ts'
import { calibrationTexts, laneChartPng, referenceText } from './graph.ts'
import type { CalibrationResult } from './lanes.ts'

export type LaneResult = CalibrationResult['lanes'][number]
export type Period = LaneResult['periods'][number]

/** The input of a report. */
export type CalibrationReport = ReportContext & {
  shows: 'load' | 'deviation'
  result: CalibrationResult
  criteria: readonly [string, string][]
}

/** Charts have more pixels than on the sheet, for print. */
const PRINT_SCALE = 2
const SIZE = { graphWidth: GRAPH_WIDTH, graphHeight: GRAPH_HEIGHT }

/** The name of a lane with its station; to fit in a length the name of the station is shortened, never the number. */
export function laneName({ location, laneNumber }: LaneResult, language: Language, length = Infinity): string {
  const nameOf = (location: string) => calibrationTexts.format(language, 'lane', { location, lane: String(laneNumber) })
  const room = length - nameOf('').length
  const { shortName } = location
  return nameOf(shortName.length > room ? `${shortName.slice(0, room - 1)}…` : shortName)
}

/** The reference of the section of a period. */
export const referenceOfPeriod = ({ sections, reference }: LaneResult, period: number): CalibrationReference =>
  sections.findLast(({ firstPeriod }) => firstPeriod <= period)?.reference ?? reference

/** The reference of each section, and the calibrations in the range. */
export function referenceLine(lane: LaneResult, language: Language): string {
  const { report } = calibrationTexts(language)
  const finishes = lane.finishes.map((at) => periodLabel(at, 'minute'))
  const reference = (lane.sections.length > 0 ? lane.sections : [lane])
    .map(({ reference }) => referenceText(reference, language))
    .join('; ')
  return finishes.length > 0 ? `${reference}; ${report.finishes}: ${finishes.join(', ')}` : reference
}

/** The chart of a lane for print, as PNG. */
export const printedChart = ({ result, shows, language }: CalibrationReport, lane: LaneResult): Promise<Buffer> =>
  laneChartPng(lane, result.starts, SIZE, { shows, language, scale: PRINT_SCALE })

/** The columns of a period, as on the screen. */
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
