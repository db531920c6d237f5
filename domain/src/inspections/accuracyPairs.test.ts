import { type Selection, selections, UNBIASED_SELECTIONS } from '@rogatka/contract/options.ts'
import { expect, test } from 'vitest'
import { seededRandom } from '../core/random.ts'
import { dateOf } from '../core/warsaw.ts'
import type { Environment } from './accuracyClass.ts'
import {
  type Exclusion,
  environmentOfDays,
  exclusionOf,
  exclusions,
  isBiased,
  type WeighedTwice,
} from './accuracyPairs.ts'
import { type Criterion, compareWeights, criteria, isPair, type Pair, type Weights } from './differences.ts'

type AccuracyPairs = {
  pairs: Record<Criterion, Pair[]>
  /** Static loads left out, by reason; each load is a pair or is left out for one reason, the first that applies. */
  leftOut: Record<Exclusion, number>
  /** Time over which the pairs extend; null without pairs. */
  environment: Environment | null
}

/** Pairs of a lane for its accuracy class, as the figures are to be; outliers stay in. */
function accuracyPairs(
  vehicles: Iterable<WeighedTwice>,
  selections: readonly Selection[] = UNBIASED_SELECTIONS,
): AccuracyPairs {
  const pairs: AccuracyPairs['pairs'] = { gross: [], group: [], singleAxle: [], axleOfGroup: [] }
  const leftOut = Object.fromEntries(exclusions.map((reason) => [reason, 0])) as Record<Exclusion, number>
  const days = new Set<string>()
  for (const vehicle of vehicles)
    for (const comparison of compareWeights(vehicle.wim, vehicle.scale)) {
      const exclusion = exclusionOf(vehicle, comparison, selections)
      if (exclusion) leftOut[exclusion]++
      else if (isPair(comparison)) {
        pairs[comparison.criterion].push(comparison)
        days.add(dateOf(vehicle.at))
      }
    }
  return { pairs, leftOut, environment: days.size > 0 ? environmentOf([...days]) : null }
}

/** Time over which days (`2026-10-20`) extend. */
function environmentOf(days: readonly string[]): Environment {
  const distinct = [...new Set(days)].sort()
  return environmentOfDays({
    months: new Set(distinct.map((day) => day.slice(0, 7))).size,
    days: distinct.length,
    first: distinct[0] ?? '',
    last: distinct.at(-1) ?? '',
  })
}

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

const lorry: WeighedTwice = {
  at: new Date('2026-10-20T08:00:00Z'),
  selection: 'random',
  scaleValid: true,
  wim: weights(25_300, [7_100], [9_000, 9_200]),
  scale: weights(25_000, [7_000], [9_000, 9_000]),
}
const counted = (...vehicles: WeighedTwice[]) => {
  const { pairs, leftOut } = accuracyPairs(vehicles)
  return [
    ...criteria.map((criterion) => pairs[criterion].length),
    Object.fromEntries(Object.entries(leftOut).filter(([, count]) => count > 0)),
  ]
}

test('pairs of random and reference vehicles by criterion', () => {
  expect(accuracyPairs([lorry])).toEqual({
    pairs: {
      gross: [{ criterion: 'gross', wim: 25_300, scale: 25_000 }],
      group: [{ criterion: 'group', wim: 18_200, scale: 18_000 }],
      singleAxle: [{ criterion: 'singleAxle', wim: 7_100, scale: 7_000 }],
      axleOfGroup: [
        { criterion: 'axleOfGroup', wim: 9_000, scale: 9_000 },
        { criterion: 'axleOfGroup', wim: 9_200, scale: 9_000 },
      ],
    },
    leftOut: { selection: 0, scaleNotValid: 0, notWeighed: 0, axlesDiffer: 0, groupsDiffer: 0, underMinimum: 0 },
    environment: 'I',
  })
  expect(counted({ ...lorry, selection: 'reference' })).toEqual([1, 1, 1, 2, {}])
})

test.each<[string, WeighedTwice, (number | object)[]]>([
  ['preselected', { ...lorry, selection: 'preselected' }, [0, 0, 0, 0, { selection: 5 }]],
  ['complaint', { ...lorry, selection: 'complaint' }, [0, 0, 0, 0, { selection: 5 }]],
  ['scale out of validity', { ...lorry, scaleValid: false }, [0, 0, 0, 0, { scaleNotValid: 5 }]],
  ['other number of axles', { ...lorry, wim: weights(25_300, [7_100], [9_000]) }, [1, 0, 0, 0, { axlesDiffer: 4 }]],
  ['other groups', { ...lorry, wim: weights(25_300, [7_100], [9_000], [9_200]) }, [1, 0, 1, 0, { groupsDiffer: 3 }]],
  ['not weighed by WIM', { ...lorry, wim: weights(0, [0], [9_000, 0]) }, [0, 1, 0, 1, { notWeighed: 3 }]],
  ['a car', { ...lorry, scale: weights(3_500, [1_000], [1_000, 1_001]) }, [0, 1, 0, 1, { underMinimum: 3 }]],
  ['a light lorry', { ...lorry, scale: weights(3_501, [1_001], [500, 500]) }, [1, 1, 1, 0, { underMinimum: 2 }]],
])('counts what is left out: %s', (_, vehicle, expected) => {
  expect(counted(vehicle)).toEqual(expected)
})

test('other selections are taken if requested, and bias is named', () => {
  const preselected: WeighedTwice = { ...lorry, selection: 'preselected' }
  expect(accuracyPairs([lorry, preselected], ['preselected']).pairs.gross).toHaveLength(1)
  expect(accuracyPairs([lorry, preselected], ['preselected']).leftOut.selection).toBe(5)
  expect([isBiased(['preselected', 'random']), isBiased(['random', 'reference', 'complaint'])]).toEqual([true, false])
})

test('the environment counts the Polish days of pairs only', () => {
  const on = (day: number, differing: Partial<WeighedTwice> = {}): WeighedTwice => ({
    ...lorry,
    // Half an hour after midnight in Warsaw.
    at: new Date(Date.UTC(2026, 9, day - 1, 22, 30)),
    ...differing,
  })
  const week = [1, 2, 3, 4, 7]
  expect(accuracyPairs(week.map((day) => on(day))).environment).toBe('II')
  expect(accuracyPairs([...week.slice(1).map((day) => on(day)), on(1, { scaleValid: false })]).environment).toBe('I')
  expect(accuracyPairs([]).environment).toBeNull()
  // A second before midnight UTC is the next day in Warsaw.
  const late = { ...lorry, at: new Date('2026-10-06T23:59:59Z') }
  expect(accuracyPairs([...week.slice(0, 4).map((day) => on(day)), late]).environment).toBe('II')
})

test.each([
  [['2026-10-01'], 'I'],
  [['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-07'], 'I'],
  [['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04', '2026-10-06'], 'I'],
  [['2026-10-06', '2026-10-02', '2026-10-03', '2026-10-04', '2026-09-30'], 'II'],
  [['2026-10-01', '2026-10-02', '2026-10-03', '2026-10-04', '2026-10-07', '2026-10-07'], 'II'],
  [['2026-10-01', '2026-10-01', '2026-10-01', '2026-10-01', '2026-10-07'], 'I'],
  [Array.from({ length: 7 }, (_, month) => `2026-0${month + 1}-01`), 'II'],
  [Array.from({ length: 8 }, (_, month) => `2026-0${month + 1}-01`), 'III'],
  [
    ['2025-01', '2025-02', '2025-03', '2025-04', '2026-01', '2026-02', '2026-03', '2026-04'].map((m) => `${m}-05`),
    'III',
  ],
] as const)('pairs on %j are of environment %s', (days, environment) => {
  expect(environmentOf(days)).toBe(environment)
})

test('every static load is a pair or is left out once', () => {
  const random = seededRandom(11)
  const load = () => random.pick([0, 900, 1_000, 5_000 + random.below(6_000)])
  const side = (): Weights => {
    const groups = Array.from({ length: 1 + random.below(4) }, () =>
      Array.from({ length: 1 + random.below(3) }, () => load()),
    )
    return weights(random.pick([0, 3_000, 30_000]), ...groups)
  }
  const vehicles = Array.from({ length: 800 }, (): WeighedTwice => {
    const scale = side()
    return {
      at: lorry.at,
      selection: random.pick(selections),
      scaleValid: random.happens(0.9),
      wim: random.happens(0.5) ? scale : side(),
      scale,
    }
  })
  const { pairs, leftOut } = accuracyPairs(vehicles)
  const loads = vehicles.flatMap(({ scale }) => [
    scale.gross,
    ...scale.groups.flatMap(({ axles, load }) =>
      axles.length > 1 ? [load, ...axles.map((axle) => scale.axles?.[axle - 1])] : [load],
    ),
  ])
  const used = criteria.reduce((sum, criterion) => sum + pairs[criterion].length, 0)
  expect(used + exclusions.reduce((sum, reason) => sum + leftOut[reason], 0)).toBe(loads.filter((one) => one).length)
  expect(used).toBeGreaterThan(400)
})
