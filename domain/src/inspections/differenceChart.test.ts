import { expect, test } from 'vitest'
import { themes } from '../core/chart/theme.ts'
import { type DifferenceChart, differenceOption, isOutside } from './differenceChart.ts'

const options = { theme: themes.light, width: 400, height: 260, format: String, interactive: true }
const texts = { empty: 'none', tonnes: 't' }

/** The parts of the option that carry figures. */
function drawn(chart: Omit<DifferenceChart, 'texts' | 'title'>) {
  const option = differenceOption({ ...chart, title: null, texts }, options)
  const { series, xAxis, yAxis } = option as unknown as {
    series: {
      data: { value: number[]; symbol?: string }[]
      markLine: { data: { yAxis: number }[] }
      markArea?: object
    }[]
    xAxis: { min: number; max: number; axisLabel: { formatter: (value: number) => string } }
    yAxis: { min: number; max: number; axisLabel: { customValues: number[]; formatter: (value: number) => string } }
  }
  return { series: series[0], xAxis, yAxis }
}

test('draws each pair by its static load, and marks those outside the class', () => {
  const points = [
    { wim: 42_800, scale: 40_000, label: 'on the bound' },
    { wim: 42_801, scale: 40_000, label: 'beyond' },
    { wim: 9_200, scale: 10_000, label: 'below' },
  ]
  const { series, xAxis, yAxis } = drawn({ points, tolerance: 7, mean: 2 })
  expect(series?.data.map(({ value, symbol }) => [value[0], symbol])).toEqual([
    [40, undefined],
    [40, 'triangle'],
    [10, 'triangle'],
  ])
  expect(series?.data[2]?.value[1]).toBeCloseTo(-8, 10)
  expect([xAxis.min, xAxis.max, yAxis.min, yAxis.max]).toEqual([10, 40, -10, 10])
  expect(yAxis.axisLabel.customValues.map(yAxis.axisLabel.formatter)).toEqual(['−10', '−7', '+7', '0', '+10'])
  expect(xAxis.axisLabel.formatter(40)).toBe('40')
  expect(series?.markLine.data.map(({ yAxis }) => yAxis)).toEqual([-10, 10, -7, 7, 0, 2])
  expect(series?.markArea).toMatchObject({ data: [[{ yAxis: -7 }, { yAxis: 7 }]] })
})

test('a lane without a class has no band and nothing outside of it', () => {
  const { series, yAxis } = drawn({ points: [{ wim: 13_000, scale: 10_000, label: '' }], tolerance: null, mean: 30 })
  expect(series?.markArea).toBeUndefined()
  expect(series?.data[0]).toEqual({ value: [10, 30] })
  expect([yAxis.min, yAxis.max]).toEqual([-30, 30])
  expect(yAxis.axisLabel.customValues).toEqual([-30, 0, 30])
  expect(isOutside({ wim: 13_000, scale: 10_000 }, null)).toBe(false)
})

test('says that there are no pairs', () => {
  const option = differenceOption({ points: [], tolerance: 7, mean: null, title: null, texts }, options)
  expect(option.title).toMatchObject([{ text: 'none' }])
})

const pair = { wim: 40_400, scale: 40_000, label: 'a lorry' }

test.each([
  ['10 t of load and 10 % of difference at least', [pair], null, [40, 50], [-10, 10]],
  ['the tolerance', [pair], 25, [40, 50], [-25, 25]],
  ['the lightest and the heaviest load', [pair, { ...pair, scale: 61_000, wim: 61_000 }], 7, [40, 70], [-10, 10]],
])('the axes show %s', (_, points, tolerance, loads, percents) => {
  const { xAxis, yAxis, series } = drawn({ points, tolerance, mean: null })
  expect([xAxis.min, xAxis.max]).toEqual(loads)
  expect([yAxis.min, yAxis.max]).toEqual(percents)
  // Without a mean its line is absent.
  expect(series?.markLine.data.at(-1)?.yAxis).toBe(0)
})

test('shows the text of a pair as a tooltip, unless it is printed', () => {
  const chart = { points: [pair], tolerance: 7, mean: null, title: null, texts }
  const { tooltip } = differenceOption(chart, options) as { tooltip?: { formatter: (item: unknown) => string } }
  expect([0, 1].map((dataIndex) => tooltip?.formatter({ dataIndex }))).toEqual(['a lorry', ''])
  expect(differenceOption(chart, { ...options, interactive: false }).tooltip).toBeUndefined()
})
