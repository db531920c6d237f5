import type { BarSeriesOption, LineSeriesOption } from 'echarts'
import { expect, test } from 'vitest'
import { themes } from '../core/chart/theme.ts'
import { chartOption, drawnGraphType, maxPeriodsForWidth } from './chart.ts'
import type { Chart, ChartOptions } from './chartData.ts'
import { periodLabel, periodsOf } from './periods.ts'

const starts = periodsOf(new Date('2026-10-19T06:00Z'), new Date('2026-10-20T06:00Z'), { unit: 'hour', value: 1 })
const { light } = themes

const imageOptions: ChartOptions = {
  theme: light,
  width: 980,
  height: 458,
  tick: String,
  figure: (figure) => `${figure} in full`,
  legend: true,
  patterns: false,
  interactive: false,
}

const chart = (values: readonly string[], differing: Partial<Chart> = {}): Chart => ({
  statName: 'traffic',
  groupBy: 'lane',
  graphType: 'barPlot',
  unit: 'hour',
  starts,
  labels: starts.map((start) => periodLabel(start, 'hour')),
  series: values.map((value) => ({
    value,
    label: `Lane ${value}`,
    total: '1 200',
    figures: starts.map((_, i) => i * 10),
  })),
  title: { name: 'S8 Wyszków', subtitle: 'traffic', range: 'a day' },
  empty: 'nothing',
  ...differing,
})

const numbered = (count: number) => Array.from({ length: count }, (_, i) => String(i + 1))
const seriesOf = (shown: Chart, options: Partial<ChartOptions> = {}) =>
  chartOption(shown, { ...imageOptions, ...options }).series as (BarSeriesOption & LineSeriesOption)[]
const colours = (shown: Chart) => seriesOf(shown).map(({ itemStyle }) => itemStyle?.color)
const decals = (shown: Chart, options: Partial<ChartOptions> = {}) =>
  seriesOf(shown, options).map(({ itemStyle }) => itemStyle?.decal !== undefined)

test('a category keeps its colour whichever others are shown', () => {
  expect(colours(chart(['9', 'lack', '3'], { groupBy: 'category' }))).toEqual([
    light.series[0],
    light.series[8],
    light.series[1],
  ])
  expect(colours(chart(['3'], { groupBy: 'category' }))).toEqual([light.series[1]])
})

test('ranges of speed go from light to dark in even steps, and an unknown speed is grey', () => {
  const shades = colours(chart([...numbered(11), 'unknown'], { groupBy: 'speedRange' })) as string[]
  expect([shades[0], shades[5], shades[10], shades[11]]).toEqual([
    light.steps[0],
    light.steps[3],
    light.steps[6],
    light.edge,
  ])
  const brightness = (hex: string) => [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(hex.slice(at, at + 2), 16), 0)
  const falling = shades.slice(0, 11).map(brightness)
  expect(falling).toEqual(falling.toSorted((a, b) => b - a))
  expect(new Set(falling).size).toBe(11)
  expect(colours(chart(['0', '1', '6'], { groupBy: 'overSpeed' }))).toEqual([
    light.steps[0],
    light.steps[1],
    light.steps[6],
  ])
})

test('stacks only parts of a whole', () => {
  const stacked = (differing: Partial<Chart>) =>
    seriesOf(chart(['1', '2'], differing)).every(({ stack }) => stack !== undefined)
  expect(stacked({})).toBe(true)
  expect(stacked({ statName: 'trafficDensity' })).toBe(true)
  expect(stacked({ statName: 'avgSpeed' })).toBe(false)
  expect(stacked({ groupBy: 'violation' })).toBe(false)
})

test('adds patterns from the tenth series, or everywhere with patterns on', () => {
  expect(decals(chart(numbered(11)))).toEqual([...Array(9).fill(false), true, true])
  expect(decals(chart(numbered(2)), { patterns: true })).toEqual([true, true])
})

test('40 line series all differ', () => {
  const looks = seriesOf(chart(numbered(40), { graphType: 'linePlot' })).map(({ itemStyle, lineStyle, symbol }) =>
    JSON.stringify([itemStyle?.color, lineStyle?.type, symbol]),
  )
  expect(new Set(looks).size).toBe(40)
})

test('the legend of 40 series leaves half of the height to the chart', () => {
  const { legend, grid } = chartOption(chart(numbered(40)), imageOptions) as {
    legend: { data: string[] }
    grid: { top: number }
  }
  expect(legend.data).toHaveLength(40)
  expect(grid.top).toBeGreaterThan(100)
  expect(grid.top).toBeLessThan(229)
})

test('keeps gaps, and marks single points between gaps', () => {
  const long = periodsOf(new Date('2026-10-12T06:00Z'), new Date('2026-10-19T06:00Z'), { unit: 'hour', value: 1 })
  const figures = long.map((_, i) => (i === 5 || i === 20 || i === 21 ? 80 : null))
  const gappy = chart([], { graphType: 'linePlot', statName: 'avgSpeed', starts: long, labels: long.map(String) })
  const [line] = seriesOf({ ...gappy, series: [{ value: '1', label: 'Lane 1', total: null, figures }] })
  expect(line?.connectNulls).toBe(false)
  expect(line?.data?.slice(4, 7)).toEqual([null, { value: 80, symbol: 'circle', symbolSize: 4 }, null])
  expect(line?.data?.slice(19, 23)).toEqual([null, 80, 80, null])
})

test('marks single earlier values of a filter by hour, unless they are steps over bars', () => {
  const figures = starts.map((_, i) => (i === 8 ? 80 : null))
  const earlier = { label: 'earlier', total: '80', figures }
  const dataOf = (graphType: Chart['graphType']) =>
    seriesOf(chart(['1'], { graphType, statName: 'avgSpeed', earlier }))[1]?.data?.slice(7, 10)
  expect(dataOf('linePlot')).toEqual([null, { value: 80, symbol: 'circle', symbolSize: 4 }, null])
  expect(dataOf('barPlot')).toEqual([null, 80, null])
})

test('shows a message without data', () => {
  const said = (shown: Chart) => JSON.stringify(chartOption(shown, imageOptions).title)
  expect(said(chart([]))).toContain('nothing')
  expect(said(chart(['1']))).not.toContain('nothing')
  const empty = [{ value: '1', label: 'Lane 1', total: null, figures: starts.map(() => null) }]
  expect(said(chart([], { series: empty }))).toContain('nothing')
})

test('only the screen chart animates, zooms and has tooltips', () => {
  const still = chartOption(chart(['1']), imageOptions)
  expect([still.animation, still.tooltip, still.dataZoom]).toEqual([false, undefined, undefined])
  const lively = chartOption(chart(['1']), { ...imageOptions, interactive: true })
  expect(lively.animation).toBe(false)
  expect(lively.tooltip).toBeDefined()
  expect(lively.dataZoom).toBeDefined()
})

test('draws ten thousand minutes in large mode on the screen', () => {
  const minutes = periodsOf(new Date('2026-10-19T00:00Z'), new Date('2026-10-25T22:40Z'), { unit: 'minute', value: 1 })
  const long = (graphType: Chart['graphType']) => {
    const shown = chart([], {
      graphType,
      unit: 'minute',
      starts: minutes,
      labels: minutes.map((start) => periodLabel(start, 'minute')),
    })
    return seriesOf(
      { ...shown, series: [{ value: '1', label: 'Lane 1', total: null, figures: minutes.map(() => 1) }] },
      { interactive: true },
    )[0]
  }
  expect(long('barPlot')?.large).toBe(true)
  expect(long('linePlot')?.sampling).toBe('average')
})

test('an image has as many bars as are distinguishable', () => {
  expect(maxPeriodsForWidth({ statName: 'traffic', groupBy: 'lane', graphType: 'barPlot' }, 9, 980)).toBeGreaterThan(
    400,
  )
  const sideBySide = maxPeriodsForWidth({ statName: 'avgSpeed', groupBy: 'lane', graphType: 'barPlot' }, 40, 980)
  expect(sideBySide).toBeGreaterThanOrEqual(4)
  expect(sideBySide * 40).toBeLessThan(980)
})

test.each([
  ['2026-03-28T23:00Z', '2026-03-29T22:00Z', 23],
  ['2026-10-24T22:00Z', '2026-10-25T23:00Z', 25],
])('the day from %s to %s has %s hours on the axis with unique labels', (from, to, hours) => {
  const day = periodsOf(new Date(from), new Date(to), { unit: 'hour', value: 1 })
  const labels = day.map((start) => periodLabel(start, 'hour'))
  const series = [{ value: '1', label: 'Lane 1', total: null, figures: day.map((_, i) => i) }]
  const { xAxis, series: drawn } = chartOption(chart([], { starts: day, labels, series }), imageOptions) as {
    xAxis: { data: string[] }
    series: BarSeriesOption[]
  }
  expect(new Set(xAxis.data).size).toBe(hours)
  expect(drawn[0]?.data).toHaveLength(hours)
})

test('draws a single period as a bar of limited width or a marker', () => {
  const one = { starts: starts.slice(0, 1), labels: ['19.10.2026 08:00'] }
  const series = [{ value: '1', label: 'Lane 1', total: '7', figures: [7] }]
  const [bar] = seriesOf({ ...chart([], one), series })
  expect([bar?.data, bar?.barMaxWidth]).toEqual([[7], 72])
  const [line] = seriesOf({ ...chart([], { ...one, graphType: 'linePlot' }), series })
  expect([line?.data, line?.symbol]).toEqual([[7], 'circle'])
})

test('the tooltip has the period and every series with its full figure', () => {
  const { tooltip } = chartOption(chart(['1', '2']), { ...imageOptions, interactive: true }) as {
    tooltip: { confine: boolean; formatter: (under: unknown) => string }
  }
  const under = [
    { name: '19.10.2026 08:00', seriesName: 'Lane 1', value: 10, marker: '<i></i>' },
    { name: '19.10.2026 08:00', seriesName: 'Lane 2', value: undefined, marker: '<i></i>' },
  ]
  const said = tooltip.formatter(under).replace(/<[^>]*>/g, '|')
  expect(said).toMatch(/19\.10\.2026 08:00.*Lane 1\|+10 in full.*Lane 2\|+null in full/)
  expect(tooltip.confine).toBe(true)
})

/** 27 days by hour; the n-th series has n times the values of the first. */
function month(values: readonly string[], differing: Partial<Chart> = {}): Chart {
  const long = periodsOf(new Date('2026-09-01T22:00Z'), new Date('2026-09-28T22:00Z'), { unit: 'hour', value: 1 })
  const counted = values.map((value, at) => ({
    value,
    label: `Lane ${value}`,
    total: null,
    figures: long.map((_, i) => (at + 1) * (i % 24)),
  }))
  const totals = long.map((_, i) => counted.reduce((sum, { figures }) => sum + (figures[i] ?? 0), 0))
  return chart([], { starts: long, labels: long.map(String), series: counted, totals, ...differing })
}

test('only the zoom slider shows the total of all series', () => {
  const option = chartOption(month(['1', '2']), { ...imageOptions, interactive: true }) as {
    series: LineSeriesOption[]
    yAxis: { show?: boolean }[]
    tooltip: { formatter: (under: unknown) => string }
  }
  // ECharts draws the first series. At one o'clock it is 1 + 2.
  const [total] = option.series
  expect([total?.data?.[1], total?.silent, total?.lineStyle?.opacity]).toEqual([3, true, 0])
  expect(option.yAxis[total?.yAxisIndex ?? 0]?.show).toBe(false)
  const under = option.series.map(({ name }) => ({ name: '02.09.2026 01:00', seriesName: name, value: 1, marker: '' }))
  const said = option.tooltip.formatter(under).replace(/<[^>]*>/g, '|')
  expect(said).not.toContain(String(total?.name))
  expect(said.indexOf('Lane 1')).toBeLessThan(said.indexOf('Lane 2'))
  expect(chartOption(month(['1', '2']), imageOptions).series).toHaveLength(2)
})

test('a tick of the zoomed axis is labelled by its period', () => {
  const { xAxis } = chartOption(chart(['1']), { ...imageOptions, interactive: true }) as {
    xAxis: { axisLabel: { formatter: (label: string, index: number) => string } }
  }
  expect(xAxis.axisLabel.formatter('20.10.2026 00:00', 0)).toBe('{strong|20.10}')
  expect(xAxis.axisLabel.formatter('20.10.2026 07:00', 3)).toBe('07')
})

test.each([
  ['stacked', {}, 1],
  ['side by side', { statName: 'avgSpeed' }, 3],
] as const)('648 hours as %s bars open zoomed to the newest, with bars of at least 4 px', (_, differing, abreast) => {
  const { dataZoom } = chartOption(month(['1', '2', '3'], differing), { ...imageOptions, interactive: true }) as {
    dataZoom: { start: number; end?: number }[]
  }
  for (const { start, end } of dataZoom) {
    expect(end).toBeUndefined()
    const shown = (648 * (100 - start)) / 100
    // The plot is at most as wide as the image.
    expect(980 / shown / abreast).toBeGreaterThanOrEqual(4)
    expect(900 / shown / abreast).toBeLessThan(7)
  }
  const lines = chartOption(month(['1'], { graphType: 'linePlot' }), { ...imageOptions, interactive: true })
  expect(lines.dataZoom).toMatchObject([{ start: 0 }, { start: 0 }])
})

test('stacks the largest part at the base, but keeps the order of ranges', () => {
  const drawn = (groupBy: Chart['groupBy']) =>
    seriesOf(month(['1', '2', '3'], { groupBy })).map(({ name, itemStyle }) => [name, itemStyle?.color])
  expect(drawn('lane')).toEqual([
    ['Lane 3', light.series[2]],
    ['Lane 2', light.series[1]],
    ['Lane 1', light.series[0]],
  ])
  expect(drawn('speedRange').map(([name]) => name)).toEqual(['Lane 1', 'Lane 2', 'Lane 3'])
  expect(seriesOf(month(['1', '2'], { statName: 'avgSpeed' })).map(({ name }) => name)).toEqual(['Lane 1', 'Lane 2'])
})

test('a stacked part below 4 px has no gap', () => {
  // 400 px for 1,000 vehicles in the highest bar, about: 8 of them are 3 px, 20 are 8 px.
  const figures = [8, 20, 972]
  const series = figures.map((figure, at) => ({
    value: String(at + 1),
    label: `Lane ${at + 1}`,
    total: null,
    figures: [figure],
  }))
  const bars = seriesOf(chart([], { starts: starts.slice(0, 1), labels: ['one'], series }), { height: 500 })
  expect(bars.map(({ name, data }) => [name, data?.[0]])).toEqual([
    ['Lane 3', 972],
    ['Lane 2', 20],
    ['Lane 1', { value: 8, itemStyle: { borderWidth: 0 } }],
  ])
})

test('more than 120 bars are drawn as lines, counting stacked ones once', () => {
  const drawn = (series: number, periods: number, differing: Partial<Chart> = {}) =>
    drawnGraphType(chart(['1'], differing), series, periods)
  expect([drawn(4, 120), drawn(4, 121)]).toEqual(['barPlot', 'linePlot'])
  expect([drawn(4, 30, { statName: 'avgSpeed' }), drawn(4, 31, { statName: 'avgSpeed' })]).toEqual([
    'barPlot',
    'linePlot',
  ])
})

test('earlier values and a limit are lines over the bars, which the tooltip names and omits', () => {
  const earlier = { label: 'earlier', total: '7', figures: starts.map(() => 7) }
  const option = chartOption(chart(['1'], { earlier, limit: { value: 90, text: 'limit 90' } }), {
    ...imageOptions,
    interactive: true,
  })
  const [bars, before, limit] = option.series as LineSeriesOption[]
  expect([bars?.type, before?.type, before?.step]).toEqual(['bar', 'line', 'middle'])
  expect(before?.data).toEqual(starts.map(() => 7))
  expect(limit?.markLine).toMatchObject({ data: [{ yAxis: 90 }], label: { formatter: 'limit 90' } })
  const { formatter } = option.tooltip as { formatter: (items: unknown) => string }
  const items = [limit, before, bars].map((series) => ({
    name: '06:00',
    marker: '',
    seriesName: series?.name,
    value: 5,
  }))
  const text = formatter(items).replaceAll(/<[^>]*>/g, '|')
  expect(text.indexOf('Lane 1')).toBeLessThan(text.indexOf('earlier'))
  expect(text.match(/5 in full/g)).toHaveLength(2)
})
