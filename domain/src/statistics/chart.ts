import type { GraphType } from '@rogatka/contract/options.ts'
import type { EChartsOption } from 'echarts'
import { sliderOf, tooltipOf } from '../core/chart/controls.ts'
import { legendOf } from '../core/chart/legend.ts'
import { labelledPeriods, TICK_FONT_SIZE, tickOf } from '../core/chart/ticks.ts'
import { TITLE_HEIGHT, titlesOf } from '../core/chart/titles.ts'
import { tooltipHtml } from '../core/chart/tooltip.ts'
import type { Chart, ChartOptions } from './chartData.ts'
import {
  barsInView,
  barsOf,
  countBars,
  EARLIER_NAME,
  earlierOf,
  extentOf,
  HIDDEN_NAMES,
  isStacked,
  limitOf,
  linesOf,
  MAX_BARS,
  totalOf,
} from './seriesOptions.ts'

const SIDE_MARGIN = 16
const BOTTOM = 12
const ZOOM_HEIGHT = 32
/** Approximate width of the value axis, px. */
const VALUES_WIDTH = 50

/** Number of periods that fit an image of this width. */
export function maxPeriodsForWidth(
  chart: Pick<Chart, 'statName' | 'groupBy' | 'graphType'>,
  series: number,
  width: number,
): number {
  const plot = width - 2 * SIDE_MARGIN - VALUES_WIDTH
  if (chart.graphType === 'linePlot' || isStacked(chart)) return Math.floor(plot / 2)
  return Math.max(4, Math.floor(plot / (2 * series + 4)))
}

/** How a chart is drawn unless someone chooses otherwise: too many bars are lines. */
export const drawnGraphType = (
  chart: Pick<Chart, 'statName' | 'groupBy' | 'graphType'>,
  series: number,
  periods: number,
): GraphType => (countBars(chart, series, periods) > MAX_BARS ? 'linePlot' : chart.graphType)

/** ECharts option of a statistic, as plain data: the same for server images and the screen. */
export function chartOption(chart: Chart, options: ChartOptions): EChartsOption {
  const { theme, width, height, tick, figure, interactive } = options
  const { starts, series, graphType } = chart
  const titleHeight = chart.title ? TITLE_HEIGHT : 8
  const earlierName = chart.earlier?.label ?? ''
  const named = [...series, ...(chart.earlier ? [{ ...chart.earlier, label: EARLIER_NAME }] : [])]
  const legend = legendOf(named, {
    nameOf: (name) => (name === EARLIER_NAME ? earlierName : name),
    theme,
    width,
    top: titleHeight,
    lines: graphType === 'linePlot',
    hideable: interactive,
  })
  const top = titleHeight + (options.legend ? legend.height : 0) + 6
  const isEmpty = series.every(({ figures }) => figures.every((figure) => figure === null))
  const isZoomable = interactive && options.zoomable !== false && starts.length > 12
  const bottom = BOTTOM + (isZoomable ? ZOOM_HEIGHT : 0)
  const plot = { width: width - 2 * SIDE_MARGIN - VALUES_WIDTH, height: height - top - bottom - 2 * TICK_FONT_SIZE }
  const totals = isZoomable ? chart.totals : undefined
  // The initial zoom shows the newest periods that fit; percent of the range.
  const visiblePeriods = graphType === 'barPlot' ? barsInView(chart, plot.width) : starts.length
  const start = starts.length > visiblePeriods ? 100 * (1 - visiblePeriods / starts.length) : 0
  // The earlier values follow the series.
  const seriesIndex = (name = '') => named.findIndex(({ label }) => label === name)
  const startOf = new Map(chart.labels.map((label, index) => [label, starts[index]]))
  // A zoomed axis has a different scale, so ECharts chooses the labels.
  const choosesLabels = interactive && options.zoomable !== false
  const labelled = choosesLabels ? new Set() : labelledPeriods(starts, chart.unit, plot.width)

  return {
    animation: false,
    backgroundColor: theme.surface,
    textStyle: { fontFamily: theme.font, color: theme.text },
    title: titlesOf(chart.title, isEmpty ? chart.empty : null, options),
    legend: options.legend ? legend.option : { show: false },
    grid: {
      left: SIDE_MARGIN,
      right: SIDE_MARGIN,
      top,
      bottom,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: {
      type: 'category',
      data: [...chart.labels],
      axisLine: { lineStyle: { color: theme.edge } },
      axisTick: { show: false },
      axisLabel: {
        ...(choosesLabels ? { hideOverlap: true } : { interval: (index: number) => labelled.has(index) }),
        // By name, because the index counts from the first visible period.
        formatter: (label: string) => {
          const start = startOf.get(label)
          if (!start) return ''
          const { text, strong } = tickOf(start, chart.unit)
          return strong ? `{strong|${text}}` : text
        },
        color: theme.text2,
        fontSize: TICK_FONT_SIZE,
        rich: { strong: { color: theme.text, fontSize: TICK_FONT_SIZE, fontWeight: 600 } },
      },
    },
    yAxis: [
      {
        type: 'value',
        ...(chart.statName === 'traffic' ? { minInterval: 1 } : {}),
        scale: graphType === 'linePlot' && chart.statName !== 'traffic' && chart.statName !== 'trafficDensity',
        splitNumber: 4,
        axisLabel: { color: theme.text2, fontSize: TICK_FONT_SIZE, formatter: tick },
        splitLine: { lineStyle: { color: theme.line } },
      },
      ...(totals ? [{ type: 'value' as const, show: false }] : []),
    ],
    ...(interactive && {
      tooltip: {
        trigger: 'axis',
        ...tooltipOf(theme),
        axisPointer: { type: graphType === 'barPlot' ? 'shadow' : 'line' },
        formatter: (hovered) => {
          const items = (Array.isArray(hovered) ? hovered : [hovered])
            .filter(({ seriesName = '' }) => !HIDDEN_NAMES.includes(seriesName))
            .toSorted((a, b) => seriesIndex(a.seriesName) - seriesIndex(b.seriesName))
          const rows = items.map(({ marker, seriesName = '', value }) => {
            const number = typeof value === 'number' ? value : null
            return {
              marker: typeof marker === 'string' ? marker : '',
              name: seriesName === EARLIER_NAME ? earlierName : seriesName,
              value: number,
              text: figure(number),
            }
          })
          return tooltipHtml(items[0]?.name ?? '', rows, width, height)
        },
      },
    }),
    ...(isZoomable && {
      dataZoom: [
        // The wheel without a modifier scrolls the page.
        { type: 'inside', start, zoomOnMouseWheel: 'ctrl' },
        { type: 'slider', start, height: 18, bottom: 8, showDetail: false, brushSelect: false, ...sliderOf(theme) },
      ],
    }),
    series: [
      ...(totals ? [totalOf(totals)] : []),
      ...(graphType === 'barPlot' ? barsOf(chart, options, plot) : linesOf(chart, options, plot)),
      ...earlierOf(chart, options),
      ...limitOf(chart, options),
      ...(options.extent ? [extentOf(options.extent)] : []),
    ],
  }
}
