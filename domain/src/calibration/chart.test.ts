import type { BarSeriesOption, LineSeriesOption, ScatterSeriesOption } from 'echarts'
import { expect, test } from 'vitest'
import { themes } from '../core/chart/theme.ts'
import { periodLabel, periodsOf } from '../statistics/periods.ts'
import {
  type CalibrationChart,
  type CalibrationChartOptions,
  calibrationOption,
  exceedsDeviation,
  periodsUntil,
} from './chart.ts'

const { light } = themes

function drawn(
  deviations: readonly (number | null)[],
  differing: Partial<CalibrationChart> = {},
  options: Partial<CalibrationChartOptions> = {},
) {
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
      finishes: [],
      title: null,
      texts: { load: 'load', deviation: 'deviation', confidence: 'confidence', empty: 'too few' },
      ...differing,
    },
    { theme: light, width: 980, height: 458, format: (figure) => figure.toFixed(0), interactive: false, ...options },
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
])('a deviation of %s percent is outside the band: %s', (deviation, outside) => {
  expect(exceedsDeviation(deviation)).toBe(outside)
})

test('points outside the band are red triangles, in both directions', () => {
  const { line } = drawn([0, 8, -9, 7])
  const red = { itemStyle: { color: light.red }, symbol: 'triangle' }
  expect(line.data).toEqual([0, expect.objectContaining({ value: 8 }), expect.objectContaining({ value: -9 }), 7])
  expect(line.data?.[1]).toMatchObject(red)
  expect(line.data?.[2]).toMatchObject(red)
})

test('a period with too few vehicles is a gap in the line with a tick below', () => {
  const { line, strokes, bars } = drawn([1, null, 2])
  expect(line.connectNulls).toBe(false)
  expect(line.data).toEqual([1, null, 2])
  expect(strokes.data).toEqual([null, -10, null])
  expect(bars.data).toEqual([99, null, 99])
})

test('the scale is centred on the reference and grows with the deviations', () => {
  expect(drawn([1]).left).toMatchObject({ min: -10, max: 10, axisLabel: { customValues: [-10, -7, 0, 7, 10] } })
  expect(drawn([-23]).left).toMatchObject({ min: -25, max: 25 })
})

test('loads have a kg and a percent axis, deviations only percent', () => {
  const { left, right } = drawn([1])
  expect([-10, 0, 7].map((value) => left?.axisLabel.formatter(value))).toEqual(['6300', '{strong|7000}', '7490'])
  expect([-7, 0, 7].map((value) => right?.axisLabel.formatter(value))).toEqual(['−7 %', '{strong|0 %}', '+7 %'])
  const deviations = drawn([1], { shows: 'deviation' })
  expect(deviations.left?.axisLabel.formatter(-7)).toBe('−7 %')
  expect(deviations.right?.axisLabel.show).toBe(false)
})

test('marks only points outside the band if there are many', () => {
  const { line } = drawn(Array.from({ length: 200 }, (_, i) => (i % 2 ? 9 : 0)))
  expect(line.symbol).toBe('none')
  expect(line.showAllSymbol).toBe(true)
  expect(line.data?.filter((item) => typeof item === 'object')).toHaveLength(100)
})

test('shows a message if all periods have too few vehicles', () => {
  expect(JSON.stringify(drawn([null, null]).option.title)).toContain('too few')
  expect(JSON.stringify(drawn([null, 1]).option.title)).not.toContain('too few')
})

test('a single period is a marked point with a bar of limited width', () => {
  const { line, bars } = drawn([3])
  expect([line.data, line.symbol]).toEqual([[3], 'circle'])
  expect([bars.data, bars.barMaxWidth]).toEqual([[99], 24])
})

test('shows a message without periods', () => {
  const { option, line } = drawn([])
  expect(line.data).toEqual([])
  expect(JSON.stringify(option.title)).toContain('too few')
})

test.each([
  ['2026-03-28T23:00Z', '2026-03-29T22:00Z', ['00:00', '03:00', '04:00']],
  ['2026-10-24T22:00Z', '2026-10-25T23:00Z', ['00:00', '02:00 CEST', '04:00']],
])('periods of two hours from %s to %s follow the wall clock', (from, to, expected) => {
  const starts = periodsOf(new Date(from), new Date(to), { unit: 'hour', value: 2 })
  const labels = starts.map((start) => periodLabel(start, 'hour'))
  const periods = starts.map(() => ({ firstAxleAvg: 7_000, deviationFromReference: 1, confidence: null }))
  const { option } = drawn([], { starts, labels, periods })
  const [above] = option.xAxis as { data: string[] }[]
  expect(new Set(above?.data).size).toBe(12)
  expect(above?.data.slice(0, 3).map((label) => label.slice(11))).toEqual(expected)
})

test('omits the confidence track without significance tests, with the time axis below the chart', () => {
  const without = [{ firstAxleAvg: 7_000, deviationFromReference: 1, confidence: null }]
  const { option } = drawn([1], { periods: without })
  const [above, below] = option.xAxis as { show?: boolean; axisLabel: { show?: boolean } }[]
  expect([above?.axisLabel.show, below?.show]).toEqual([undefined, false])
  expect((option.grid as { height?: number }[])[1]?.height).toBe(0)
})

test('the tooltip has a load with its deviation, a deviation alone, and a dash for a gap', () => {
  const formatTooltip = (shows: CalibrationChart['shows'], value: unknown) => {
    const { option, line } = drawn([1], { shows }, { interactive: true })
    expect(option.tooltip).toMatchObject({ trigger: 'axis', confine: true })
    const { valueFormatter } = line.tooltip as { valueFormatter: (value: unknown) => string }
    return valueFormatter(value)
  }
  expect(formatTooltip('load', -10)).toBe('6300 kg (−10 %)')
  expect(formatTooltip('deviation', 8)).toBe('+8 %')
  expect(formatTooltip('load', null)).toBe('–')
  expect(drawn([1]).option.tooltip).toBeUndefined()
})

test('the deviation chart has no second axis and uses the full width', () => {
  const rightOf = (shows: CalibrationChart['shows']) =>
    (drawn([1], { shows }).option.grid as { right: number }[]).map(({ right }) => right)
  expect(rightOf('load')).toEqual([60, 60])
  expect(rightOf('deviation')).toEqual([16, 16])
})

test('marks each recorded calibration with a line and a diamond', () => {
  const finishes = [new Date('2026-10-02T10:00Z'), new Date('2026-10-04T04:00Z')]
  const { option } = drawn([1, 2, 3, 4], { finishes })
  const marks = (option.series as LineSeriesOption[])[3]
  // The chart begins on 1 October at 22:00 UTC, midnight in Warsaw: half a day, and two and a quarter days.
  expect(marks?.markLine?.data).toEqual([{ xAxis: 0.5 }, { xAxis: 2.25 }])
  expect(marks?.markLine?.symbol).toEqual(['none', 'diamond'])
  expect((option.xAxis as { min?: number; max?: number }[])[2]).toMatchObject({ min: 0, max: 4 })
  expect(drawn([1, 2]).option.series).toHaveLength(3)
})

test('positions instants within the last period and before the first', () => {
  const day = (of: number, hour = 0) => new Date(Date.UTC(2026, 5, of, hour))
  const starts = [day(1), day(2), day(3)]
  expect([day(1), day(2, 6), day(3, 12), day(9)].map((at) => periodsUntil(starts, at))).toEqual([0, 1.25, 2.5, 3])
  expect(periodsUntil(starts, new Date(0))).toBe(0)
  expect(periodsUntil([day(1)], day(1, 5))).toBe(0)
})

test('the line breaks between sections, and each has loads of its own reference', () => {
  const finishes = [new Date('2026-10-03T22:00Z')]
  const sections = [
    { firstPeriod: 0, reference: 7_000 },
    { firstPeriod: 2, reference: 6_000 },
  ]
  const { option, line, left } = drawn([1, 2, 3, 10], { finishes, sections })
  const lines = (option.series as LineSeriesOption[]).slice(4)
  expect(lines.map(({ data }) => data)).toEqual([
    [1, 2, null, null],
    [null, null, 3, 10],
  ])
  // The points are of one series, which has the tooltip.
  expect([line.lineStyle?.opacity, line.data?.length]).toEqual([0, 4])
  const { valueFormatter } = line.tooltip as { valueFormatter: (value: unknown, period: number) => string }
  expect([valueFormatter(2, 1), valueFormatter(10, 3)]).toEqual(['7140 kg (+2 %)', '6600 kg (+10 %)'])
  expect(left?.axisLabel.customValues).toEqual([0])
  expect(lines[1]?.markLine?.label?.formatter).toBe('6000')
})
