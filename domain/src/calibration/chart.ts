import { type CalibrationPeriod, DEVIATION_LIMIT } from '@rogatka/contract/calibration.ts'
import type { EChartsOption, SeriesOption } from 'echarts'
import { bandLines, bandOf } from '../core/chart/band.ts'
import { tooltipOf } from '../core/chart/controls.ts'
import type { ChartTheme } from '../core/chart/theme.ts'
import { labelledPeriods, TICK_FONT_SIZE, tickOf } from '../core/chart/ticks.ts'
import { TITLE_HEIGHT, type Title, titlesOf } from '../core/chart/titles.ts'

/** Data of a lane's chart. Texts are formatted; numbers are in wire units. */
export type CalibrationChart = {
  /** Loads have the left axis in kg and the right one in percent; deviations only percent. */
  shows: 'load' | 'deviation'
  starts: readonly Date[]
  /** Full names of the periods, all distinct. */
  labels: readonly string[]
  periods: readonly Pick<CalibrationPeriod, 'firstAxleAvg' | 'deviationFromReference' | 'confidence'>[]
  /** Of the first section, kg. */
  reference: number
  /** Periods with a common reference (kg), from the one with this index; missing: all of them. */
  sections?: readonly { firstPeriod: number; reference: number }[]
  /** Times of finished calibrations, oldest first. */
  finishes: readonly Date[]
  title: Title | null
  texts: { load: string; deviation: string; confidence: string; empty: string }
}

export type CalibrationChartOptions = {
  theme: ChartTheme
  /** px */
  width: number
  height: number
  format: (figure: number) => string
  /** Tooltip. */
  interactive: boolean
}

const SIDE_MARGIN = 16
/** Minimum range of the percent axis, in steps of five. */
const MIN_SCALE = 10
const SCALE_STEP = 5
const TRACK_HEIGHT = 40
const BOTTOM = 30
const LEFT = 64
const RIGHT = 60
const MARKER_PX = 7
const OUTSIDE_MARKER_PX = 11
const MIN_MARKER_PX = 12
const DIAMOND_PX = 12
/** A narrower section does not show its reference. */
const MIN_REFERENCE_PX = 48
/** Index of the horizontal axis that counts periods. */
const FINISH_AXIS = 2

const signed = (percent: number, format: (figure: number) => string) =>
  `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${format(Math.abs(percent))} %`

/** Whether the deviation requires a recalibration. */
export const exceedsDeviation = (deviation: number | null): boolean =>
  deviation !== null && Math.abs(deviation) > DEVIATION_LIMIT

/**
 * ECharts option of a lane: mean load as a line, the reference dashed with its tolerance band, ▲ outside the band, a
 * short stroke for too few vehicles, and the confidence of each deviation below. The line breaks between sections.
 */
export function calibrationOption(chart: CalibrationChart, options: CalibrationChartOptions): EChartsOption {
  const { theme, width, format, interactive } = options
  // Only loads have a second scale.
  const right = chart.shows === 'load' ? RIGHT : SIDE_MARGIN
  const { starts, periods, texts } = chart
  const sections = sectionsIn(chart)
  const deviations = periods.map(({ deviationFromReference }) => deviationFromReference)
  const largest = deviations.reduce<number>((max, deviation) => Math.max(max, Math.abs(deviation ?? 0)), 0)
  const scale = Math.max(MIN_SCALE, SCALE_STEP * Math.ceil(largest / SCALE_STEP))
  const ticks = [-scale, -DEVIATION_LIMIT, 0, DEVIATION_LIMIT, scale]
  const isTested = periods.some(({ confidence }) => confidence !== null)
  const isEmpty = deviations.every((deviation) => deviation === null)
  const top = (chart.title ? TITLE_HEIGHT : 8) + 12
  const below = BOTTOM + (isTested ? TRACK_HEIGHT + 2 * SIDE_MARGIN : 0)
  const labelled = labelledPeriods(starts, 'hour', width - LEFT - right)

  const kg = (percent: number, period = 0) => {
    const { reference } = sections.findLast(({ firstPeriod }) => firstPeriod <= period) ?? chart
    return format(Math.round(reference * (1 + percent / 100)))
  }
  const percent = (value: number) => (value === 0 ? `{strong|0 %}` : signed(value, format))
  const label = { color: theme.text2, fontSize: TICK_FONT_SIZE, customValues: ticks }
  const rich = { strong: { color: theme.text, fontSize: TICK_FONT_SIZE, fontWeight: 600 } } as const
  // ECharts draws lines and ticks by default unless the axis is a category axis.
  const bare = { axisLine: { show: false }, axisTick: { show: false } } as const
  const values = { ...bare, type: 'value', min: -scale, max: scale, splitLine: { show: false }, gridIndex: 0 } as const
  const times = {
    type: 'category' as const,
    data: [...chart.labels],
    axisTick: { show: false },
    axisLine: { lineStyle: { color: theme.edge }, onZero: false },
  }
  const timeLabel = {
    interval: (index: number) => labelled.has(index),
    formatter: (_label: string, index: number) => {
      const start = starts[index]
      if (!start) return ''
      const { text, strong } = tickOf(start, 'hour')
      return strong ? `{strong|${text}}` : text
    },
    color: theme.text2,
    fontSize: TICK_FONT_SIZE,
    rich,
  }

  return {
    animation: false,
    backgroundColor: theme.surface,
    textStyle: { fontFamily: theme.font, color: theme.text },
    title: titlesOf(chart.title, isEmpty ? texts.empty : null, options),
    grid: [
      { left: LEFT, right, top, bottom: below },
      { left: LEFT, right, bottom: BOTTOM, height: isTested ? TRACK_HEIGHT : 0 },
    ],
    xAxis: [
      { ...times, gridIndex: 0, axisLabel: isTested ? { show: false } : timeLabel },
      { ...times, gridIndex: 1, axisLabel: timeLabel, show: isTested },
      // The axes above have no positions between names: this one counts periods from the left edge.
      { type: 'value', gridIndex: 0, min: 0, max: starts.length, show: false, axisPointer: { show: false } },
    ],
    yAxis: [
      {
        ...values,
        axisLabel: {
          ...label,
          rich,
          formatter:
            chart.shows === 'load' ? (value: number) => (value === 0 ? `{strong|${kg(0)}}` : kg(value)) : percent,
          // Loads at the other ticks differ between sections.
          ...(chart.shows === 'load' && sections.length > 1 && { customValues: [0] }),
        },
      },
      { ...values, axisLabel: { ...label, rich, formatter: percent, show: chart.shows === 'load' } },
      {
        type: 'value',
        gridIndex: 1,
        min: 0,
        max: 100,
        interval: 100,
        show: isTested,
        name: texts.confidence,
        nameLocation: 'end',
        nameGap: 6,
        nameTextStyle: { color: theme.text2, fontSize: TICK_FONT_SIZE, align: 'left' },
        axisLabel: { color: theme.text2, fontSize: TICK_FONT_SIZE, formatter: '{value} %' },
        splitLine: { lineStyle: { color: theme.line } },
      },
    ],
    ...(interactive && { tooltip: { trigger: 'axis', ...tooltipOf(theme) } }),
    series: seriesOf(chart, options, { scale, kg, plot: width - LEFT - right }),
  }
}

function seriesOf(
  chart: CalibrationChart,
  { theme, format }: CalibrationChartOptions,
  { scale, kg, plot }: { scale: number; kg: (percent: number, period?: number) => string; plot: number },
): SeriesOption[] {
  const { periods, texts, shows, starts, finishes } = chart
  const sections = sectionsIn(chart)
  const crowded = plot / starts.length < MIN_MARKER_PX
  const unlabelled = { silent: true, symbol: 'none', label: { show: false } } as const
  const color = theme.series[0] ?? theme.text
  const formatTooltipValue = (value: unknown, period?: number) =>
    typeof value !== 'number'
      ? '–'
      : shows === 'load'
        ? `${kg(value, period)} kg (${signed(value, format)})`
        : signed(value, format)
  return [
    {
      type: 'line',
      name: shows === 'load' ? texts.load : texts.deviation,
      connectNulls: false,
      symbol: crowded ? 'none' : 'circle',
      symbolSize: MARKER_PX,
      // Values outside the band are always marked, however many.
      showAllSymbol: true,
      // Several sections have lines of their own.
      lineStyle: { color, width: 2, opacity: sections.length > 1 ? 0 : 1 },
      itemStyle: { color: theme.surface, borderColor: color, borderWidth: 2 },
      tooltip: { valueFormatter: formatTooltipValue },
      data: periods.map(({ deviationFromReference: value }) =>
        exceedsDeviation(value)
          ? {
              value,
              symbol: 'triangle',
              symbolSize: crowded ? MARKER_PX : OUTSIDE_MARKER_PX,
              itemStyle: { color: theme.red, borderColor: theme.red, borderWidth: 1 },
            }
          : value,
      ),
      markArea: bandOf(DEVIATION_LIMIT, theme),
      markLine: {
        ...unlabelled,
        data: [
          ...bandLines(scale, DEVIATION_LIMIT, theme),
          { yAxis: 0, lineStyle: { color: theme.text, type: 'dashed', width: 1.5 } },
        ],
      },
    },
    {
      type: 'scatter',
      silent: true,
      symbol: 'rect',
      symbolSize: [crowded ? 3 : 8, 2],
      symbolOffset: [0, -5],
      itemStyle: { color: theme.text2 },
      tooltip: { show: false },
      data: periods.map(({ deviationFromReference }) => (deviationFromReference === null ? -scale : null)),
    },
    {
      type: 'bar',
      name: texts.confidence,
      xAxisIndex: 1,
      yAxisIndex: 2,
      barMaxWidth: 24,
      barCategoryGap: '40%',
      itemStyle: { color: theme.edge },
      tooltip: { valueFormatter: (value) => (typeof value === 'number' ? `${format(value)} %` : '–') },
      data: periods.map(({ confidence }) => confidence),
    },
    ...(finishes.length > 0 ? [finishSeries(starts, finishes, theme)] : []),
    ...(sections.length > 1 ? sectionSeries(chart, { color, theme, kg, plot }) : []),
  ]
}

/** The sections, at least one. */
const sectionsIn = ({ sections, reference }: CalibrationChart) =>
  sections && sections.length > 0 ? sections : [{ firstPeriod: 0, reference }]

/** The line of each section, and the reference of each but the first, whose load is at the axis. */
function sectionSeries(
  chart: CalibrationChart,
  {
    color,
    theme,
    kg,
    plot,
  }: { color: string; theme: ChartTheme; kg: (percent: number, period: number) => string; plot: number },
): SeriesOption[] {
  const sections = sectionsIn(chart)
  const { periods, shows } = chart
  return sections.map(({ firstPeriod }, index) => {
    const end = sections[index + 1]?.firstPeriod ?? periods.length
    const isWide = ((end - firstPeriod) * plot) / periods.length >= MIN_REFERENCE_PX
    return {
      type: 'line' as const,
      silent: true,
      symbol: 'none',
      connectNulls: false,
      tooltip: { show: false },
      z: 1,
      lineStyle: { color, width: 2 },
      data: periods.map(({ deviationFromReference }, period) =>
        period >= firstPeriod && period < end ? deviationFromReference : null,
      ),
      ...(shows === 'load' &&
        index > 0 &&
        isWide && {
          // Only its label is visible.
          markLine: {
            silent: true,
            symbol: 'none',
            lineStyle: { color: 'transparent', width: 1 },
            label: {
              show: true,
              position: 'insideStartTop' as const,
              color: theme.text,
              fontSize: TICK_FONT_SIZE,
              fontWeight: 600,
              formatter: kg(0, firstPeriod),
            },
            data: [[{ coord: [firstPeriod, 0] }, { coord: [end - 1, 0] }]],
          },
        }),
    }
  })
}

/** A line with a diamond at each finished calibration. */
function finishSeries(starts: readonly Date[], finishes: readonly Date[], theme: ChartTheme): SeriesOption {
  return {
    type: 'line',
    silent: true,
    xAxisIndex: FINISH_AXIS,
    yAxisIndex: 0,
    data: [],
    tooltip: { show: false },
    markLine: {
      silent: true,
      symbol: ['none', 'diamond'],
      symbolSize: DIAMOND_PX,
      symbolRotate: 0,
      label: { show: false },
      lineStyle: { color: theme.text, type: 'solid', width: 2 },
      data: finishes.map((at) => ({ xAxis: periodsUntil(starts, at) })),
    },
  }
}

/** Number of periods before an instant, with fraction. */
export function periodsUntil(starts: readonly Date[], at: Date): number {
  const index = starts.findLastIndex((start) => start <= at)
  const start = starts[index]
  if (!start) return 0
  const next = starts[index + 1]
  const before = starts[index - 1]
  // The last period is assumed to be as long as the previous one.
  const length = next ? +next - +start : before ? +start - +before : 0
  return length === 0 ? index : index + Math.min(1, (+at - +start) / length)
}
