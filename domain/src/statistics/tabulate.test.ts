import { expect, test } from 'vitest'
import { EMPTY_SUMS } from './sums.ts'
import { type Cell, type TabulateQuery, tabulate } from './tabulate.ts'

const ALL = { lanes: [1, 2], categories: [], violations: [] }
const hours = (count: number) => ({
  starts: Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 9, 20, 6 + i))),
  end: new Date(Date.UTC(2026, 9, 20, 6 + count)),
})
const cell = (period: number, key: number, sums: Partial<Cell>): Cell => ({ ...EMPTY_SUMS, period, key, ...sums })
const ask = (question: Partial<TabulateQuery>, cells: Cell[], chosen = ALL) =>
  tabulate({ statName: 'traffic', groupBy: 'lane', ...hours(2), ...question }, chosen, cells)

test('an empty period has traffic 0 and no other figures', () => {
  const cells = [cell(1, 1, { vehicles: 5, measured: 2, sum: 150, min: 70, max: 80 })]
  expect(ask({}, cells)).toEqual({
    groups: [
      { value: '1', series: [0, 5], summary: 5 },
      { value: '2', series: [0, 0], summary: 0 },
    ],
    summaries: [0, 5],
    summary: 5,
  })
  for (const statName of ['trafficDensity', 'minSpeed', 'avgSpeed', 'maxTotalLoad'] as const) {
    expect(ask({ statName }, cells).groups.map(({ series }) => series[0])).toEqual([null, null])
  }
})

test('a period of which nothing is counted has no figures', () => {
  const cells = [cell(1, 1, { vehicles: 5 })]
  const { groups, summaries, summary } = ask({ lengths: [0, 1] }, cells)
  expect(groups.map(({ series }) => series)).toEqual([
    [null, 5],
    [null, 0],
  ])
  expect([summaries, summary]).toEqual([[null, 5], 5])
})

test('the overall mean is over all vehicles, not over means', () => {
  const cells = [
    cell(0, 1, { vehicles: 1, measured: 1, sum: 50, min: 50, max: 50 }),
    cell(0, 2, { vehicles: 4, measured: 3, sum: 301, min: 99, max: 102 }),
  ]
  expect(ask({ statName: 'avgSpeed' }, cells)).toMatchObject({ summaries: [87.8, null], summary: 87.8 })
  expect(ask({ statName: 'minSpeed' }, cells).summaries).toEqual([50, null])
  expect(ask({ statName: 'maxSpeed' }, cells).summaries).toEqual([102, null])
})

test('a vehicle with two violations counts in two series and once in the total', () => {
  const cells = [cell(0, 1, { vehicles: 3 }), cell(0, 5, { vehicles: 2 }), cell(1, 4, { vehicles: 1 })]
  const { groups, summaries, summary } = ask({ groupBy: 'violation' }, cells)
  expect(groups.map(({ value, series }) => [value, ...series])).toEqual([
    ['overload', 5, 0],
    ['overheight', 0, 0],
    ['overspeed', 2, 1],
    ['overlane', 0, 0],
    ['wrongDirection', 0, 0],
  ])
  expect([summaries, summary]).toEqual([[5, 1], 6])
})

test('shows only the selected violations', () => {
  const cells = [cell(0, 5, { vehicles: 2 })]
  const table = ask({ groupBy: 'violation' }, cells, { ...ALL, violations: ['overload'] as never[] })
  expect(table.groups.map(({ value }) => value)).toEqual(['overload'])
  expect(table.summaries).toEqual([2, 0])
})

test('selected categories keep their order, with or without vehicles; unlisted lanes are shown', () => {
  const categories = ['lack', '9', '3'] as never[]
  const table = ask({ groupBy: 'category' }, [cell(0, 0, { vehicles: 1 })], { ...ALL, categories })
  expect(table.groups.map(({ value, summary }) => [value, summary])).toEqual([
    ['3', 0],
    ['9', 0],
    ['lack', 1],
  ])
  const lanes = ask({}, [cell(0, 11, { vehicles: 1 }), cell(0, 9, { vehicles: 1 })])
  expect(lanes.groups.map(({ value }) => value)).toEqual(['1', '2', '9', '11'])
})

test('without selected categories every category is a series, in the order of the tiles', () => {
  const { groups } = ask({ groupBy: 'category' }, [cell(0, 7, { vehicles: 1 })])
  expect(groups.map(({ value }) => value)).toEqual(['10', '7', '2', '11', '5', '3', '8', '9', 'lack'])
  expect(groups[1]).toMatchObject({ value: '7', summary: 1 })
})

test('ranges of excess speed are series from none to the highest', () => {
  const { groups } = ask({ groupBy: 'overSpeed' }, [cell(1, 6, { vehicles: 2 })])
  expect(groups.map(({ value, summary }) => [value, summary])).toEqual([
    ['0', 0],
    ['1', 0],
    ['2', 0],
    ['3', 0],
    ['4', 0],
    ['5', 0],
    ['6', 2],
  ])
})

test('loads have a mean in whole kg and extremes, over the weighed vehicles only', () => {
  const cells = [
    cell(0, 1, { vehicles: 2, measured: 2, sum: 30_001, min: 12_000, max: 18_001 }),
    cell(0, 2, { vehicles: 5, measured: 0, sum: 0, min: null, max: null }),
  ]
  const figures = (statName: TabulateQuery['statName']) => ask({ statName }, cells).summaries[0]
  // 15,000.5 kg
  expect([figures('avgTotalLoad'), figures('minTotalLoad'), figures('maxTotalLoad')]).toEqual([15_001, 12_000, 18_001])
})

test('vehicles of unknown speed form the last series, if there are any', () => {
  const known = ask({ groupBy: 'speedRange' }, [cell(0, 3, { vehicles: 1 })])
  expect(known.groups.map(({ value }) => value)).toEqual(Array.from({ length: 11 }, (_, i) => String(i + 1)))
  expect(known.groups[2]?.summary).toBe(1)
  const unknown = ask({ groupBy: 'speedRange' }, [cell(0, 0, { vehicles: 4 })])
  expect(unknown.groups).toHaveLength(12)
  expect(unknown.groups.at(-1)).toEqual({ value: 'unknown', series: [4, 0], summary: 4 })
  expect(unknown.summary).toBe(4)
})

test('density is flow over the harmonic mean of the speeds, in the real length of a period', () => {
  // 60 and 120 km/h: 2 vehicles an hour with a mean speed of 80 km/h.
  const slowness = Math.round(1_000_000 / 60) + Math.round(1_000_000 / 120)
  const cells = [cell(0, 1, { vehicles: 200, measured: 200, sum: 100 * slowness })]
  expect(ask({ statName: 'trafficDensity' }, cells).summaries).toEqual([2.5, null])
  expect(ask({ statName: 'trafficDensity' }, cells).summary).toBe(1.25)
  const short = { ...hours(1), end: new Date(Date.UTC(2026, 9, 20, 6, 30)) }
  expect(ask({ statName: 'trafficDensity', ...short }, cells).summaries).toEqual([5])
  // A vehicle without a speed counts in the flow.
  const partly = [cell(0, 1, { vehicles: 300, measured: 200, sum: 100 * slowness })]
  expect(ask({ statName: 'trafficDensity' }, partly).summaries).toEqual([3.75, null])
})
