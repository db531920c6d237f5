import type { EChartsOption } from 'echarts'
import { bandLines, bandOf } from '../core/chart/band.ts'
import { tooltipOf } from '../core/chart/controls.ts'
import type { ChartTheme } from '../core/chart/theme.ts'
import { TICK_FONT_SIZE } from '../core/chart/ticks.ts'
import { TITLE_HEIGHT, type Title, titlesOf } from '../core/chart/titles.ts'
import { differenceOf, type Pair } from './differences.ts'

/** Differences of WIM against a static scale. Texts are formatted; loads are in kg. */
export type DifferenceChart = {
  points: readonly (Pick<Pair, 'wim' | 'scale'> & { /** For the tooltip. */ label: string })[]
  /** Percent of the class of the lane; null without a class. */
  tolerance: number | null
  /** Percent; null without pairs. */
  mean: number | null
  title: Title | null
  texts: { empty: string; tonnes: string }
}

export type DifferenceChartOptions = {
  theme: ChartTheme
  /** px */
  width: number
  height: number
  format: (figure: number) => string
  /** Tooltip. */
  interactive: boolean
}

/** px */
const LEFT = 52
const RIGHT = 16
const TOP = 12
const BOTTOM = 40
const MARKER = 7
const OUTSIDE_MARKER = 11
/** Minimum range of the percent axis, in steps of five. */
const MIN_SCALE = 10
const SCALE_STEP = 5
/** Ticks of the loads, t. */
const LOAD_STEP = 10

/** Whether a difference is outside the tolerance; exact, as loads are whole kg. */
export const isOutside = ({ wim, scale }: Pick<Pair, 'wim' | 'scale'>, tolerance: number | null): boolean =>
  tolerance !== null && 100 * Math.abs(wim - scale) > tolerance * scale

const signed = (percent: number, format: (figure: number) => string) =>
  `${percent > 0 ? '+' : percent < 0 ? '−' : ''}${format(Math.abs(percent))}`

/**
 * ECharts option of the differences: each pair by static load and difference in percent, the tolerance of the class as a
 * band, ▲ outside of it, the mean as a line.
 */
export function differenceOption(chart: DifferenceChart, options: DifferenceChartOptions): EChartsOption {
  const { points, tolerance, mean, title, texts } = chart
  const { theme, format, interactive } = options
  const differences = points.map(differenceOf)
  const largest = differences.reduce((max, difference) => Math.max(max, Math.abs(difference)), tolerance ?? 0)
  const scale = Math.max(MIN_SCALE, SCALE_STEP * Math.ceil(largest / SCALE_STEP))
  const loads = points.map((point) => point.scale / 1_000)
  const lowest = LOAD_STEP * Math.floor(Math.min(...loads, 4 * LOAD_STEP) / LOAD_STEP)
  const highest = LOAD_STEP * Math.ceil(Math.max(...loads, 4 * LOAD_STEP) / LOAD_STEP)
  const label = { color: theme.text2, fontSize: TICK_FONT_SIZE }
  const bare = { axisLine: { show: false }, axisTick: { show: false }, splitLine: { show: false } } as const
  const color = theme.series[0] ?? theme.text
  return {
    animation: false,
    backgroundColor: theme.surface,
    textStyle: { fontFamily: theme.font, color: theme.text },
    title: titlesOf(title, points.length === 0 ? texts.empty : null, options),
    grid: { left: LEFT, right: RIGHT, top: TOP + (title ? TITLE_HEIGHT : 0), bottom: BOTTOM },
    xAxis: {
      ...bare,
      type: 'value',
      min: lowest,
      max: Math.max(highest, lowest + LOAD_STEP),
      interval: LOAD_STEP,
      name: texts.tonnes,
      nameLocation: 'middle',
      nameGap: 22,
      nameTextStyle: label,
      axisLine: { show: true, onZero: false, lineStyle: { color: theme.edge } },
      axisLabel: { ...label, formatter: (value: number) => format(value) },
    },
    yAxis: {
      ...bare,
      type: 'value',
      min: -scale,
      max: scale,
      axisLabel: {
        ...label,
        customValues: [-scale, ...(tolerance === null ? [] : [-tolerance, tolerance]), 0, scale],
        formatter: (value: number) => signed(value, format),
      },
    },
    ...(interactive && {
      tooltip: {
        trigger: 'item',
        ...tooltipOf(theme),
        formatter: (item: unknown) => points[(item as { dataIndex: number }).dataIndex]?.label ?? '',
      },
    }),
    series: [
      {
        type: 'scatter',
        symbol: 'circle',
        symbolSize: MARKER,
        itemStyle: { color: theme.surface, borderColor: color, borderWidth: 1.5, opacity: 1 },
        data: points.map((point, at) => {
          const value = [loads[at] ?? 0, differences[at] ?? 0]
          if (!isOutside(point, tolerance)) return { value }
          return {
            value,
            symbol: 'triangle',
            symbolSize: OUTSIDE_MARKER,
            itemStyle: { color: theme.amber, borderColor: theme.amber, borderWidth: 1 },
          }
        }),
        ...(tolerance !== null && { markArea: bandOf(tolerance, theme) }),
        markLine: {
          silent: true,
          symbol: 'none',
          label: { show: false },
          data: [
            ...bandLines(scale, tolerance, theme),
            { yAxis: 0, lineStyle: { color: theme.text2, type: 'dashed' as const, width: 1.5 } },
            ...(mean === null ? [] : [{ yAxis: mean, lineStyle: { color, type: 'solid' as const, width: 1.6 } }]),
          ],
        },
      },
    ],
  }
}
