import { expect, test } from 'vitest'
import { seededRandom } from '../core/random.ts'
import {
  type Comparison,
  compareWeights,
  type DifferenceSums,
  differenceOf,
  NO_DIFFERENCES,
  type Pair,
  summariseDifferences,
  type Weights,
} from './differences.ts'

/** Whether WIM is within a percentage of the static load, inclusive; exact, as loads are whole kg. */
const isWithin = ({ wim, scale }: Pick<Pair, 'wim' | 'scale'>, percent: number): boolean =>
  100 * Math.abs(wim - scale) <= percent * scale

/** Sums of pairs of one criterion. */
function sumDifferences(pairs: Iterable<Pick<Pair, 'wim' | 'scale'>>): DifferenceSums {
  const sums = { ...NO_DIFFERENCES }
  for (const pair of pairs) {
    const difference = differenceOf(pair)
    sums.n++
    sums.sum += difference
    sums.squares += difference ** 2
    if (isWithin(pair, 5)) sums.within5++
    if (isWithin(pair, 10)) sums.within10++
  }
  return sums
}

const SCALE = [39_640, 41_980, 40_120, 17_650, 24_300, 38_900]
const WIM = [40_210, 41_100, 43_010, 17_400, 25_120, 43_180]
const pairs = SCALE.map((scale, index) => ({ scale, wim: WIM[index] as number }))

test('summarises the example', () => {
  const { n, mean, s, within5, within10 } = summariseDifferences(sumDifferences(pairs))
  expect([n, mean?.toFixed(3), s?.toFixed(3), within5, within10]).toEqual([6, '3.251', '5.087', 4, 5])
})

test.each([
  [10_500, true, true],
  [9_500, true, true],
  [10_501, false, true],
  [9_499, false, true],
  [11_000, false, true],
  [9_000, false, true],
  [11_001, false, false],
  [8_999, false, false],
])('%s kg against 10,000: within 5 %% %s, within 10 %% %s', (wim, within5, within10) => {
  expect(sumDifferences([{ wim, scale: 10_000 }])).toMatchObject({
    within5: Number(within5),
    within10: Number(within10),
  })
})

test('no pair has no mean, a single one no standard deviation', () => {
  expect(summariseDifferences(sumDifferences([]))).toEqual({ n: 0, mean: null, s: null, within5: 0, within10: 0 })
  expect(summariseDifferences(sumDifferences([{ wim: 11, scale: 10 }]))).toMatchObject({ n: 1, mean: 10, s: null })
})

test('equal differences have a standard deviation of 0', () => {
  for (const wim of [10_300, 10_333, 9_777, 10_001])
    expect(summariseDifferences(sumDifferences(Array(1_000).fill({ wim, scale: 9_900 }))).s).toBe(0)
  // One kg of difference in one of them counts.
  const one = [...Array(1_000).fill({ wim: 10_300, scale: 9_900 }), { wim: 10_301, scale: 9_900 }]
  expect(summariseDifferences(sumDifferences(one)).s).toBeGreaterThan(0)
})

/** Welford's recurrence: other sums than those of the code. */
function welford(values: readonly number[]) {
  let [n, mean, around] = [0, 0, 0]
  for (const value of values) {
    n++
    const before = value - mean
    mean += before / n
    around += before * (value - mean)
  }
  return { mean, s: Math.sqrt(around / (n - 1)) }
}

test('figures equal a recount over random pairs, also of sums added up', () => {
  const random = seededRandom(5)
  for (let run = 0; run < 30; run++) {
    const many = Array.from({ length: 2 + random.below(600) }, () => {
      const scale = 500 + random.below(50_000)
      return { scale, wim: Math.max(1, Math.round(scale * (0.8 + 0.4 * random.next()))) }
    })
    const half = random.below(many.length)
    const [a, b] = [sumDifferences(many.slice(0, half)), sumDifferences(many.slice(half))]
    const added = Object.fromEntries(
      Object.entries(a).map(([key, value]) => [key, value + b[key as keyof typeof b]]),
    ) as typeof a
    const expected = welford(many.map(({ wim, scale }) => 100 * (wim / scale - 1)))
    for (const sums of [sumDifferences(many), added]) {
      const { n, mean, s, within5, within10 } = summariseDifferences(sums)
      expect(n).toBe(many.length)
      expect(mean).toBeCloseTo(expected.mean, 9)
      expect(s).toBeCloseTo(expected.s, 9)
      // In integers: 20 parts of 5 %, 10 parts of 10 %.
      expect(within5).toBe(many.filter(({ wim, scale }) => 20 * wim >= 19 * scale && 20 * wim <= 21 * scale).length)
      expect(within10).toBe(many.filter(({ wim, scale }) => 10 * wim >= 9 * scale && 10 * wim <= 11 * scale).length)
    }
  }
})

test('a difference is in percent of the static load', () => {
  expect(differenceOf({ wim: 41_000, scale: 40_000 })).toBe(2.5)
  expect(differenceOf({ wim: 39_000, scale: 40_000 })).toBe(-2.5)
})

/** Loads by axle group. */
const weights = (gross: number, ...loads: number[][]): Weights => {
  let axle = 0
  return {
    gross,
    axles: loads.flat(),
    groups: loads.map((group) => ({
      axles: group.map(() => ++axle),
      load: group.reduce((sum, load) => sum + load, 0),
    })),
  }
}

const wim = weights(39_000, [7_000], [11_000], [7_000, 7_000, 7_000])
const scale = weights(40_000, [7_100], [11_200], [7_200, 7_300, 7_200])
const named = (comparisons: Comparison[]) =>
  comparisons.map((one) =>
    'wim' in one ? `${one.criterion} ${one.wim}/${one.scale}` : `${one.criterion} ${one.without}`,
  )

test('compares gross weight, groups, single axles, and the axles of groups', () => {
  expect(named(compareWeights(wim, scale))).toEqual([
    'gross 39000/40000',
    'singleAxle 7000/7100',
    'singleAxle 11000/11200',
    'group 21000/21700',
    'axleOfGroup 7000/7200',
    'axleOfGroup 7000/7300',
    'axleOfGroup 7000/7200',
  ])
})

test('a side without groups has only a gross weight', () => {
  const whole: Weights = { gross: 39_000, axles: null, groups: [] }
  expect(named(compareWeights(wim, whole))).toEqual(['gross 39000/39000'])
  expect(named(compareWeights(whole, scale)).slice(0, 2)).toEqual(['gross 39000/40000', 'singleAxle axlesDiffer'])
})

test('compares only gross weights if the numbers of axles differ', () => {
  const four = weights(39_000, [11_000], [7_000, 7_000, 7_000])
  expect(named(compareWeights(four, scale))).toEqual([
    'gross 39000/40000',
    'singleAxle axlesDiffer',
    'singleAxle axlesDiffer',
    'group axlesDiffer',
    'axleOfGroup axlesDiffer',
    'axleOfGroup axlesDiffer',
    'axleOfGroup axlesDiffer',
  ])
})

test('axles in unknown groups are counted as single ones without a counterpart', () => {
  const alone: Weights = { gross: 40_000, axles: [7_000, 11_000, 7_000, 7_000], groups: [] }
  expect(named(compareWeights(wim, alone))).toEqual(['gross 39000/40000', ...Array(4).fill('singleAxle axlesDiffer')])
  expect(named(compareWeights(wim, { ...alone, axles: [7_000, 11_000, 7_000, 7_000, 8_000] }))).toEqual([
    'gross 39000/40000',
    ...Array(5).fill('singleAxle groupsDiffer'),
  ])
})

test('compares groups only with the same axles', () => {
  const apart = weights(39_000, [7_000], [11_000], [7_000, 7_000], [7_000])
  expect(named(compareWeights(apart, scale)).slice(2)).toEqual([
    'singleAxle 11000/11200',
    'group groupsDiffer',
    'axleOfGroup groupsDiffer',
    'axleOfGroup groupsDiffer',
    'axleOfGroup groupsDiffer',
  ])
  expect(named(compareWeights(scale, apart)).slice(2)).toEqual([
    'singleAxle 11200/11000',
    'group groupsDiffer',
    'axleOfGroup groupsDiffer',
    'axleOfGroup groupsDiffer',
    'singleAxle groupsDiffer',
  ])
})

test('a scale that weighs groups has no axles to compare', () => {
  const byGroup = { ...scale, gross: null, axles: null }
  expect(named(compareWeights(wim, byGroup))).toEqual([
    'singleAxle 7000/7100',
    'singleAxle 11000/11200',
    'group 21000/21700',
  ])
  expect(named(compareWeights(byGroup, wim)).slice(-3)).toEqual(Array(3).fill('axleOfGroup notWeighed'))
})

test('a load that was not weighed is left out', () => {
  const partial: Weights = {
    gross: null,
    axles: [0, null, 7_000, null, 0],
    groups: [
      { axles: [1], load: 0 },
      { axles: [2], load: null },
      { axles: [3, 4, 5], load: null },
    ],
  }
  expect(named(compareWeights(partial, scale))).toEqual([
    'gross notWeighed',
    'singleAxle notWeighed',
    'singleAxle notWeighed',
    'group notWeighed',
    'axleOfGroup 7000/7200',
    'axleOfGroup notWeighed',
    'axleOfGroup notWeighed',
  ])
  expect(named(compareWeights(wim, partial))).toEqual(['axleOfGroup 7000/7000'])
})
