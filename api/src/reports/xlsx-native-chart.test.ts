import { expect, test } from 'vitest'
import { type NativeChart, nativeChart } from './xlsx-native-chart.ts'

const chartOf = (differing: Partial<NativeChart>, count = 3) =>
  nativeChart(
    'S7',
    { kind: 'line', title: 'S7: traffic', categories: 1, series: [], ...differing },
    { header: 3, first: 4, last: 3 + count },
  )

test.each(['line', 'bar', 'stackedBar'] as const)('a %s chart without series has a chart in its plot area', (kind) => {
  const element = kind === 'line' ? 'lineChart' : 'barChart'
  expect(chartOf({ kind })).toMatch(new RegExp(`<c:plotArea><c:layout/><c:${element}>.*</c:${element}><c:catAx>`))
})
