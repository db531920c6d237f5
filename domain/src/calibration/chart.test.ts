import type { BarSeriesOption, LineSeriesOption, ScatterSeriesOption } from 'echarts'
import { expect, test } from 'vitest'
import { periodLabel, periodsOf } from '../statistics/periods.ts'
import { themes } from '../statistics/theme.ts'
import { type CalibrationChart, calibrationOption, isOutside } from './chart.ts'

const { light } = themes

function drawn(deviations: readonly (number | null)[], differing: Partial<CalibrationChart> = {}) {
  const starts = periodsOf(new Date('2026-10-01T22:00Z'), new Date(Date.UTC(2026, 9, 1 + deviations.length, 22)), {
    unit: 'day',
    value: 1,
  })
  const option = calibrationOption(
    {
      shows: 'load',
      starts,
      labels: starts.map((start) => periodLabel(start, 'hour')),
      periods: deviations.map((deviationFromReference) => ({
        firstAxleAvg: deviationFromReference,
        deviationFromReference,
        confidence: deviationFromReference === null ? null : 99,
      })),
      reference: 7_000,
      title: null,
      words: { load: 'load', deviation: 'deviation', confidence: 'confidence', empty: 'too few' },
      ...differing,
    },
    { theme: light, width: 980, height: 458, format: (figure) => figure.toFixed(0), interactive: false },
  )
  const [line, strokes, bars] = option.series as [LineSeriesOption, ScatterSeriesOption, BarSeriesOption]
  const [left, right] = option.yAxis as {
    min: number
    max: number
    axisLabel: { show?: boolean; formatter: (value: number) => string; customValues: number[] }
  }[]
  return { option, line, strokes, bars, left, right }
}

test.each([
  [7, false],
  [7.01, true],
  [-7.01, true],
  [-7, false],
  [null, false],
])('a deviation of %s percent is outside: %s', (deviation, outside) => {
  expect(isOutside(deviation)).toBe(outside)
})

test('what is outside the band is a red triangle, whichever way', () => {
  const { line } = drawn([0, 8, -9, 7])
  const red = { itemStyle: { color: light.red }, symbol: 'triangle' }
  expect(line.data).toEqual([0, expect.objectContaining({ value: 8 }), expect.objectContaining({ value: -9 }), 7])
  expect(line.data?.[1]).toMatchObject(red)
  expect(line.data?.[2]).toMatchObject(red)
})

test('a period with too few vehicles is a gap in the line and a stroke below', () => {
  const { line, strokes, bars } = drawn([1, null, 2])
  expect(line.connectNulls).toBe(false)
  expect(line.data).toEqual([1, null, 2])
  expect(strokes.data).toEqual([null, -10, null])
  expect(bars.data).toEqual([99, null, 99])
})

test('the scale has the reference in its middle and grows with the deviations', () => {
  expect(drawn([1]).left).toMatchObject({ min: -10, max: 10, axisLabel: { customValues: [-10, -7, 0, 7, 10] } })
  expect(drawn([-23]).left).toMatchObject({ min: -25, max: 25 })
})

test('loads stand in kg on the left and percent on the right, deviations in percent alone', () => {
  const { left, right } = drawn([1])
  expect([-10, 0, 7].map((value) => left?.axisLabel.formatter(value))).toEqual(['6300', '{strong|7000}', '7490'])
  expect([-7, 0, 7].map((value) => right?.axisLabel.formatter(value))).toEqual(['−7 %', '{strong|0 %}', '+7 %'])
  const deviations = drawn([1], { shows: 'deviation' })
  expect(deviations.left?.axisLabel.formatter(-7)).toBe('−7 %')
  expect(deviations.right?.axisLabel.show).toBe(false)
})

test('of many points only those outside are marked, but all of those', () => {
  const { line } = drawn(Array.from({ length: 200 }, (_, i) => (i % 2 ? 9 : 0)))
  expect(line.symbol).toBe('none')
  expect(line.showAllSymbol).toBe(true)
  expect(line.data?.filter((item) => typeof item === 'object')).toHaveLength(100)
})

test('without any figure the chart says so', () => {
  expect(JSON.stringify(drawn([null, null]).option.title)).toContain('too few')
  expect(JSON.stringify(drawn([null, 1]).option.title)).not.toContain('too few')
})
