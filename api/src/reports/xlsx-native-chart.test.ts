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

const series = { column: 2, color: '#112233' }
const reference = { ...series, isReference: true }
/** Symbol of the line, and symbols of rows that differ. */
function symbolsOf(chart: string) {
  const own = chart.match(/<\/c:spPr><c:marker><c:symbol val="(\w+)"\/>/)?.[1]
  const rows = chart.matchAll(/<c:dPt><c:idx val="(\d+)"\/><c:marker><c:symbol val="(\w+)"\/>/g)
  return [own, Object.fromEntries(Array.from(rows, ([, row, symbol]) => [row, symbol]))]
}

test('isolated values have a point where lines have none', () => {
  expect(symbolsOf(chartOf({ series: [series] }))).toEqual(['circle', {}])
  expect(symbolsOf(chartOf({ series: [series] }, 121))).toEqual(['none', {}])
  expect(symbolsOf(chartOf({ series: [{ ...series, isolated: [5, 9], marks: [9] }] }, 121))).toEqual([
    'none',
    { 5: 'circle', 9: 'diamond' },
  ])
  // The line has a point in each row.
  expect(symbolsOf(chartOf({ series: [{ ...series, isolated: [1] }] }))).toEqual(['circle', {}])
  expect(symbolsOf(chartOf({ series: [{ ...reference, isolated: [0] }] }, 1))).toEqual(['none', { 0: 'circle' }])
  expect(symbolsOf(chartOf({ kind: 'bar', series: [series, { ...reference, isolated: [1] }] }))).toEqual([
    'none',
    { 1: 'circle' },
  ])
})

test('many isolated values have the points of their line', () => {
  const isolated = Array.from({ length: 121 }, (_, i) => 24 * i)
  expect(symbolsOf(chartOf({ series: [{ ...series, isolated }] }, 2_904))).toEqual(['circle', {}])
})

test('points follow the shape of their line, and precede its figures', () => {
  const chart = chartOf({ series: [{ ...reference, isolated: [1] }] })
  const line = /<c:ser>.*?<\/c:ser>/
    .exec(chart)?.[0]
    .replaceAll(/<c:(spPr|marker|tx|cat|val|dPt)>.*?<\/c:\1>/g, '<$1/>')
  expect(line).toBe(
    '<c:ser><c:idx val="0"/><c:order val="0"/><tx/><spPr/><marker/><dPt/><cat/><val/><c:smooth val="0"/></c:ser>',
  )
})
