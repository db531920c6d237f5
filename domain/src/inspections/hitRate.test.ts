import { type Selection, selections } from '@rogatka/contract/options.ts'
import { expect, test } from 'vitest'
import { seededRandom } from '../core/random.ts'
import {
  effectivenessOf,
  HIT_RATE_TARGET,
  MIN_FOR_RATE_OF_OFFICER,
  missesTarget,
  type OutcomeCounts,
  type Ratio,
  rateOf,
  wilsonInterval,
} from './hitRate.ts'

/** What came of an inspection. */
type Outcome = {
  selection: Selection
  /** Whether the station measured an overload; null without a detection. */
  flagged: boolean | null
  announced: boolean
  /** Taken over by an officer at any time. */
  takenOver: boolean
  weighed: boolean
  /** Overload confirmed by the static scale. */
  confirmed: boolean
}

/** Counts outcomes. A random stop without a detection is neither flagged nor not flagged. */
function countOutcomes(outcomes: Iterable<Outcome>): OutcomeCounts {
  const counts: OutcomeCounts = {
    hits: { part: 0, of: 0 },
    stops: { part: 0, of: 0 },
    stoppedFlagged: 0,
    misses: { part: 0, of: 0 },
  }
  const count = (ratio: Ratio, isPart: boolean) => {
    ratio.of++
    if (isPart) ratio.part++
  }
  for (const { selection, flagged, announced, takenOver, weighed, confirmed } of outcomes) {
    if (announced) count(counts.stops, takenOver)
    if (takenOver && flagged) counts.stoppedFlagged++
    if (weighed && selection === 'preselected' && flagged) count(counts.hits, confirmed)
    if (weighed && selection === 'random' && flagged === false) count(counts.misses, confirmed)
  }
  return counts
}

test.each([
  [43, 50, 86, 73.8, 93],
  [5, 5, 100, 56.6, 100],
  [0, 7, 0, 0, 35.4],
])('%s of %s is %s % [%s; %s]', (part, of, percent, low, high) => {
  expect(rateOf({ part, of }, 1)).toEqual({ part, of, percent, low, high })
})

/** The interval contains the shares p from which the observed one is at most z standard errors away. */
function boundByBisection(part: number, of: number, outside: 0 | 1): number {
  const observed = part / of
  const isInside = (p: number) => (observed - p) ** 2 <= (1.959964 ** 2 * p * (1 - p)) / of
  let [inside, beyond]: [number, number] = [observed, outside]
  for (let step = 0; step < 60; step++) {
    const middle = (inside + beyond) / 2
    if (isInside(middle)) inside = middle
    else beyond = middle
  }
  return inside
}

test('the Wilson interval contains the shares that the score test does not reject', () => {
  const random = seededRandom(2)
  for (let run = 0; run < 500; run++) {
    const of = 2 + random.below(run % 2 ? 40 : 5_000)
    // The ends, where the observed share itself has no error, are covered by the examples.
    const part = 1 + random.below(of - 1)
    const { low, high } = wilsonInterval({ part, of })
    expect(low, `${part} of ${of}`).toBeCloseTo(boundByBisection(part, of, 0), 10)
    expect(high, `${part} of ${of}`).toBeCloseTo(boundByBisection(part, of, 1), 10)
  }
})

test('none and all have 0 and 100 % as ends', () => {
  for (let of = 1; of <= 200; of++) {
    expect(rateOf({ part: 0, of }, 1)).toMatchObject({ percent: 0, low: 0 })
    expect(rateOf({ part: of, of }, 1)).toMatchObject({ percent: 100, high: 100 })
  }
})

test('the percentage is omitted under ten, of an officer under thirty, and above a hundred percent', () => {
  const counts = { part: 5, percent: null, low: null, high: null }
  expect(rateOf({ part: 5, of: 9 })).toEqual({ ...counts, of: 9 })
  expect(rateOf({ part: 5, of: 10 })).toMatchObject({ percent: 50 })
  expect(rateOf({ part: 5, of: 29 }, MIN_FOR_RATE_OF_OFFICER)).toEqual({ ...counts, of: 29 })
  expect(rateOf({ part: 5, of: 30 }, MIN_FOR_RATE_OF_OFFICER)).toMatchObject({ percent: 16.7 })
  expect(rateOf({ part: 0, of: 0 })).toMatchObject({ percent: null })
  expect(rateOf({ part: 12, of: 11 })).toEqual({ part: 12, of: 11, percent: null, low: null, high: null })
})

test('a half of a tenth is rounded up', () => {
  expect([rateOf({ part: 1, of: 16 }).percent, rateOf({ part: 1, of: 80 }).percent]).toEqual([6.3, 1.3])
})

const outcome: Outcome = {
  selection: 'preselected',
  flagged: true,
  announced: true,
  takenOver: true,
  weighed: true,
  confirmed: true,
}

test.each<[string, Partial<Outcome>, number[]]>([
  ['confirmed', {}, [1, 1, 1, 1, 1, 0, 0]],
  ['not confirmed', { confirmed: false }, [0, 1, 1, 1, 1, 0, 0]],
  ['not weighed', { weighed: false, confirmed: false }, [0, 0, 1, 1, 1, 0, 0]],
  ['passed by', { takenOver: false, weighed: false, confirmed: false }, [0, 0, 0, 1, 0, 0, 0]],
  ['taken over without an announcement', { announced: false }, [1, 1, 0, 0, 1, 0, 0]],
  ['preselected for another reason', { flagged: false }, [0, 0, 1, 1, 0, 0, 0]],
  ['random and flagged', { selection: 'random' }, [0, 0, 1, 1, 1, 0, 0]],
  ['random and missed', { selection: 'random', flagged: false, announced: false }, [0, 0, 0, 0, 0, 1, 1]],
  ['random and right', { selection: 'random', flagged: false, confirmed: false }, [0, 0, 1, 1, 0, 0, 1]],
  ['random, not weighed', { selection: 'random', flagged: false, weighed: false }, [0, 0, 1, 1, 0, 0, 0]],
  ['random without a detection', { selection: 'random', flagged: null, announced: false }, [0, 0, 0, 0, 0, 0, 0]],
  ['complaint', { selection: 'complaint', flagged: false }, [0, 0, 1, 1, 0, 0, 0]],
])('counts an inspection: %s', (_, differing, expected) => {
  const { hits, stops, stoppedFlagged, misses } = countOutcomes([{ ...outcome, ...differing }])
  expect([hits.part, hits.of, stops.part, stops.of, stoppedFlagged, misses.part, misses.of]).toEqual(expected)
})

test('rates equal a recount over 10,000 inspections', () => {
  const random = seededRandom(3)
  const outcomes = Array.from({ length: 10_000 }, (): Outcome => {
    const takenOver = random.happens(0.8)
    const weighed = takenOver && random.happens(0.9)
    return {
      selection: random.pick(selections),
      flagged: random.pick([true, true, false, null]),
      announced: random.happens(0.7),
      takenOver,
      weighed,
      confirmed: weighed && random.happens(0.6),
    }
  })
  const share = (all: Outcome[], isPart: (one: Outcome) => boolean) => ({
    part: all.filter(isPart).length,
    of: all.length,
    percent: Number(((100 * all.filter(isPart).length) / all.length).toFixed(1)),
  })
  const weighed = outcomes.filter((one) => one.weighed)
  const stopped = outcomes.filter((one) => one.takenOver && one.flagged).length
  const rates = effectivenessOf(countOutcomes(outcomes), 30_000)
  expect(rates.hitRate).toMatchObject(
    share(
      weighed.filter((one) => one.selection === 'preselected' && one.flagged === true),
      (one) => one.confirmed,
    ),
  )
  expect(rates.stopRate).toMatchObject(
    share(
      outcomes.filter((one) => one.announced),
      (one) => one.takenOver,
    ),
  )
  expect(rates.coverage).toMatchObject({ part: stopped, of: 30_000, percent: Number((stopped / 300).toFixed(1)) })
  expect(rates.missedRate).toMatchObject(
    share(
      weighed.filter((one) => one.selection === 'random' && one.flagged === false),
      (one) => one.confirmed,
    ),
  )
  expect(effectivenessOf(countOutcomes([outcome]), 100, 101).coverage.percent).toBeNull()
})

test.each([
  [94.9, true],
  [95, false],
  [95.1, false],
  [null, false],
])('a hit rate of at most %s % misses its target: %s', (high, expected) => {
  expect(HIT_RATE_TARGET).toBe(95)
  expect(missesTarget({ high })).toBe(expected)
})
