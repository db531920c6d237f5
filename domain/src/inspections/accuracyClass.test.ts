import { accuracyClasses } from '@rogatka/contract/locations.ts'
import { expect, test } from 'vitest'
import { normalCdf, studentCdf, studentQuantile } from '../core/distributions.ts'
import { seededRandom } from '../core/random.ts'
import { integral } from '../core/testing.ts'
import { tolerances } from '../vehicle/tolerance.ts'
import {
  confidenceWithin,
  type EarnedClass,
  environments,
  evaluateAccuracy,
  evaluateCriterion,
  isWorse,
  requiredConfidence,
  smallestTolerance,
  type TestConditions,
  testPlans,
} from './accuracyClass.ts'
import { type Criterion, criteria } from './differences.ts'

test.each([
  ['r1', 95, 97.9, 98.7],
  ['r2', 90, 95.3, 97.1],
  ['R1', 85, 92.5, 95.2],
  ['R2', 80.1, 89.6, 93.1],
] as const)('plan %s requires %s, %s and %s %% of 10, 30 and 120 pairs', (plan, ...expected) => {
  const found = [10, 30, 120].map((n) => requiredConfidence(n, { plan, environment: 'I' }))
  expect(found.map((one) => Number(one.toFixed(1)))).toEqual(expected)
})

const conditions = (plan: 'R1' | 'R2', environment: 'I' | 'II' | 'III', initial = false): TestConditions => ({
  plan,
  environment,
  verification: initial ? 'initial' : 'inService',
})

const SAMPLES: Record<Criterion, { n: number; mean: number; s: number }> = {
  gross: { n: 60, mean: -1.42, s: 3.05 },
  group: { n: 58, mean: 0.85, s: 4.6 },
  singleAxle: { n: 124, mean: -2.1, s: 4.95 },
  axleOfGroup: { n: 170, mean: 0.4, s: 6.35 },
}

test.each<[Criterion, string[], string, string[], EarnedClass, string[], string]>([
  ['gross', ['91.843', '6.723'], '93.169', ['92.720', '6.901'], 'B+(7)', ['88.121', '6.104'], '96.560'],
  ['group', ['91.762', '9.476'], '93.486', ['92.646', '9.732'], 'B+(7)', ['88.011', '8.593'], '94.587'],
  ['singleAxle', ['93.158', '10.737'], '93.866', ['93.916', '11.019'], 'B(10)', ['89.908', '9.758'], '96.028'],
  ['axleOfGroup', ['93.548', '12.800'], '95.802', ['94.269', '13.139'], 'B+(7)', ['90.444', '11.626'], '98.077'],
])('evaluates the example: %s', (criterion, inService, inB7, weeks, earned, initial, inB10) => {
  const sample = SAMPLES[criterion]
  const figures = (of: TestConditions) => {
    const result = evaluateCriterion(criterion, sample, of)
    return [result?.required.toFixed(3), result?.smallestTolerance.toFixed(3)]
  }
  expect(figures(conditions('R2', 'I'))).toEqual(inService)
  expect(confidenceWithin(tolerances['B+(7)'][criterion], sample).toFixed(3)).toBe(inB7)
  expect(figures(conditions('R1', 'II'))).toEqual(weeks)
  expect(evaluateCriterion(criterion, sample, conditions('R1', 'II'))?.earned).toBe(earned)
  expect(figures(conditions('R2', 'III', true))).toEqual(initial)
  expect(confidenceWithin(0.8 * tolerances['B(10)'][criterion], sample).toFixed(3)).toBe(inB10)
})

test.each([
  [conditions('R2', 'I'), 'B+(7)', 4],
  [conditions('R1', 'II'), 'B(10)', 1],
  [conditions('R2', 'III', true), 'B(10)', 4],
] as const)('the class of the example is the worst of the four: %o %s', (of, earned, worst) => {
  const result = evaluateAccuracy(SAMPLES, of)
  expect(result.earned).toBe(earned)
  expect(criteria.filter((criterion) => result.criteria[criterion]?.earned === earned)).toHaveLength(worst)
})

test('a criterion without enough data leaves the lane without a class', () => {
  for (const lacking of [
    { n: 9, mean: 0, s: 1 },
    { n: 10, mean: 3, s: 0 },
    { n: 0, mean: null, s: null },
    { n: 1, mean: 2, s: null },
  ]) {
    const result = evaluateAccuracy({ ...SAMPLES, group: lacking }, conditions('R2', 'I'))
    expect([result.criteria.group, result.earned]).toEqual([null, null])
    expect(result.criteria.gross?.earned).toBe('B+(7)')
  }
  expect(evaluateCriterion('gross', { n: 10, mean: 0, s: 1 }, conditions('R2', 'I'))?.earned).toBe('A(5)')
})

test.each<[Criterion, number, EarnedClass]>([
  ['gross', 3.5, 'B+(7)'],
  ['gross', 24, 'D(25)'],
  ['gross', 29, 'E(30)'],
  ['gross', 30.5, 'E(35)'],
  ['gross', 399, 'E(400)'],
  ['gross', 401, 'E(405)'],
  ['group', 32.5, 'E(30)'],
  ['group', 33.5, 'E(35)'],
  ['singleAxle', 35.5, 'E(30)'],
  ['singleAxle', 36.5, 'E(35)'],
  ['axleOfGroup', 40.5, 'E(30)'],
  ['axleOfGroup', 41.5, 'E(35)'],
  ['axleOfGroup', 46.5, 'E(35)'],
  ['axleOfGroup', 47.5, 'E(40)'],
])('%s that reads %s %% too much or too little earns %s', (criterion, mean, earned) => {
  for (const sign of [1, -1]) {
    const sample = { n: 50, mean: sign * mean, s: 0.1 }
    const found = evaluateCriterion(criterion, sample, conditions('R2', 'I'))?.earned
    expect(found).toBe(mean === 3.5 ? 'A(5)' : earned)
  }
})

/** All classes in order, with their tolerances, for a search from the best on. */
const ALL: [EarnedClass, Record<Criterion, number>][] = [
  ...accuracyClasses.map((name): [EarnedClass, Record<Criterion, number>] => [name, tolerances[name]]),
  ...Array.from({ length: 200 }, (_, step): [EarnedClass, Record<Criterion, number>] => {
    const c = 30 + 5 * step
    return [`E(${c})`, { gross: c, group: 1.1 * c, singleAxle: 1.2 * c, axleOfGroup: 1.2 * c + 5 }]
  }),
]

test('classes and tolerances agree with each other and with a second formulation', () => {
  const random = seededRandom(7)
  for (let run = 0; run < 150; run++) {
    const sample = { n: 10 + random.below(300), mean: 20 * random.next() - 10, s: 0.2 + 8 * random.next() }
    const of: TestConditions = {
      plan: random.pick(testPlans),
      environment: random.pick(environments),
      verification: random.pick(['initial', 'inService']),
    }
    const criterion = random.pick(criteria)
    const { n, mean, s } = sample
    const half = studentQuantile(0.975, n - 1) / Math.sqrt(n)
    const u = { r1: 2.675, r2: 2.36, R1: 2.155, R2: 2 }[of.plan] / { I: 1, II: 1.05, III: 1.1 }[of.environment]
    // The complement of both tails.
    const required = 100 * (1 - 2 * normalCdf(half - u))
    const confidence = (tolerance: number) =>
      100 * (1 - studentCdf(half - (tolerance - mean) / s, n - 1) - studentCdf(half - (tolerance + mean) / s, n - 1))
    // The bias adds to the tolerance at one end: the answer is found by shrinking steps from above.
    let tolerance = 200
    for (let step = 50; step > 1e-8; step /= 2) while (confidence(tolerance - step) >= required) tolerance -= step
    const factor = of.verification === 'initial' ? 0.8 : 1
    const result = evaluateCriterion(criterion, sample, of)
    expect(result?.required).toBeCloseTo(required, 8)
    expect(result?.smallestTolerance).toBeCloseTo(tolerance, 5)
    expect(confidenceWithin(tolerance * 1.5, sample)).toBeCloseTo(confidence(tolerance * 1.5), 6)
    expect(result?.earned).toBe(ALL.find(([, of]) => factor * of[criterion] >= tolerance)?.[0])
  }
})

/** Where a rising function reaches a value, by bisection. */
function solve(rising: (x: number) => number, value: number, high: number): number {
  let low = 0
  for (let step = 0; step < 32; step++) {
    const middle = (low + high) / 2
    if (rising(middle) < value) low = middle
    else high = middle
  }
  return (low + high) / 2
}

test('confidences and smallest tolerances equal integrals of the densities', () => {
  const random = seededRandom(8)
  for (let run = 0; run < 40; run++) {
    const sample = { n: 10 + random.below(290), mean: 16 * random.next() - 8, s: 0.5 + 6 * random.next() }
    const of: TestConditions = {
      plan: random.pick(testPlans),
      environment: random.pick(environments),
      verification: 'inService',
    }
    const { n, mean, s } = sample
    // Student's t by the angle whose tangent is t / √ν: its density is a power of the cosine.
    const angle = (t: number) => Math.atan(t / Math.sqrt(n - 1))
    const density = (at: number) => Math.cos(at) ** (n - 2)
    const whole = integral(density, -Math.PI / 2, Math.PI / 2, 400)
    const student = (from: number, to: number) => integral(density, angle(from), angle(to), 400) / whole
    const half = solve((t) => student(-t, t), 0.95, 8) / Math.sqrt(n)
    const u = { r1: 2.675, r2: 2.36, R1: 2.155, R2: 2 }[of.plan] / { I: 1, II: 1.05, III: 1.1 }[of.environment] - half
    const required = 100 * integral((x) => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI), -u, u, 200)
    const confidence = (tolerance: number) =>
      100 * student(half - (tolerance + mean) / s, (tolerance - mean) / s - half)

    const result = evaluateCriterion('gross', sample, of)
    expect(result?.required).toBeCloseTo(required, 5)
    for (const tolerance of [5, 10, 25])
      expect(confidenceWithin(tolerance, sample)).toBeCloseTo(confidence(tolerance), 4)
    expect(result?.smallestTolerance).toBeCloseTo(solve(confidence, required, 100), 4)
  }
})

test('the smallest tolerance is at most 0.000001 above the exact one', () => {
  const sample = SAMPLES.gross
  const found = smallestTolerance(sample, 91)
  expect(confidenceWithin(found, sample)).toBeGreaterThanOrEqual(91)
  expect(confidenceWithin(found - 1e-6, sample)).toBeLessThan(91)
  expect(smallestTolerance({ n: 50, mean: 0, s: 0.01 }, 91)).toBeLessThan(0.03)
})

test.each([
  ['B(10)', 'B+(7)', true],
  ['B+(7)', 'B+(7)', false],
  ['A(5)', 'B+(7)', false],
  ['E(30)', 'D(25)', true],
  ['D(25)', 'D+(20)', true],
] as const)('%s is worse than %s: %s', (earned, configured, worse) => {
  expect(isWorse(earned, configured)).toBe(worse)
})

test('the worst of the four may be any criterion, and a class E', () => {
  for (const criterion of criteria)
    expect(
      evaluateAccuracy({ ...SAMPLES, [criterion]: { n: 50, mean: 90, s: 1 } }, conditions('R2', 'I')).earned,
    ).toMatch(/^E/)
})
