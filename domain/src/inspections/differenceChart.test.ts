import { expect, test } from 'vitest'
import { themes } from '../core/chart/theme.ts'
import { type DifferenceChart, differenceOption, isOutside } from './differenceChart.ts'

const options = { theme: themes.light, width: 400, height: 260, format: String, interactive: true }
const texts = { empty: 'none', tonnes: 't' }

/** The parts of the option that carry figures. */
function drawn(chart: Omit<DifferenceChart, 'texts' | 'title'>) {
  const { series, xAxis, yAxis } = differenceOption({ ...chart, title: null, texts }, options) as unknown as {
    series: {
      data: { value: number[]; symbol?: string }[]
      markLine: { data: { yAxis: number }[] }
      markArea?: object
    }[]
    xAxis: { min: number; max: number }
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
  expect(series?.markLine.data.map(({ yAxis }) => yAxis)).toEqual([-10, 10, -7, 7, 0, 2])
})

test('a lane without a class has no band and nothing outside of it', () => {
  const { series, yAxis } = drawn({ points: [{ wim: 13_000, scale: 10_000, label: '' }], tolerance: null, mean: 30 })
  expect(series?.markArea).toBeUndefined()
  expect(series?.data[0]).toEqual({ value: [10, 30] })
  expect([yAxis.min, yAxis.max]).toEqual([-30, 30])
  expect(isOutside({ wim: 13_000, scale: 10_000 }, null)).toBe(false)
})

test('says that there are no pairs', () => {
  const option = differenceOption({ points: [], tolerance: 7, mean: null, title: null, texts }, options)
  expect(option.title).toMatchObject([{ text: 'none' }])
})
