import { type AccuracyClass, accuracyClasses } from '@rogatka/contract/locations.ts'
import { normalCdf, studentCdf, studentQuantile } from '../core/distributions.ts'
import { tolerances } from '../vehicle/tolerance.ts'
import { type Criterion, criteria, type DifferenceSummary } from './differences.ts'

/*
 * The accuracy class that a lane has earned, by the acceptance procedure of COST 323 (docs/domain.md, Accuracy class
 * earned). Differences and confidences are in percent.
 */

/**
 * Test vehicles: r1 one vehicle, loaded alike; r2 one vehicle, loads varied; R1 a few vehicles; R2 vehicles from traffic.
 */
export const testPlans = ['r1', 'r2', 'R1', 'R2'] as const
export type TestPlan = (typeof testPlans)[number]

/** Time over which the test extends: I days, II weeks, III a year. */
export const environments = ['I', 'II', 'III'] as const
export type Environment = (typeof environments)[number]

export type TestConditions = {
  plan: TestPlan
  environment: Environment
  /** Initial verification has tighter tolerances than a check in service. */
  verification: 'initial' | 'inService'
}

/** Differences of a criterion. */
type Moments = Pick<DifferenceSummary, 'n' | 'mean' | 's'>
type Sample = { n: number; mean: number; s: number }

/** Classes wider than D(25) have a number in steps of five, from 30. */
export type EarnedClass = AccuracyClass | `E(${number})`

const PLAN_FACTOR: Readonly<Record<TestPlan, number>> = { r1: 2.675, r2: 2.36, R1: 2.155, R2: 2 }
const ENVIRONMENT_FACTOR: Readonly<Record<Environment, number>> = { I: 1, II: 1.05, III: 1.1 }
const VERIFICATION_FACTOR = { initial: 0.8, inService: 1 } as const
const MIN_PAIRS = 10
/** Steps of the classes E. */
const E_FIRST = 30
const E_STEP = 5
/** Precision of the smallest tolerance, percentage points. */
const PRECISION = 1e-6

/** Half the width of the confidence interval of the mean, in standard deviations. */
const uncertainty = (n: number): number => studentQuantile(0.975, n - 1) / Math.sqrt(n)

/** π0: the confidence that the procedure requires. */
export const requiredConfidence = (n: number, { plan, environment }: Omit<TestConditions, 'verification'>): number =>
  100 * (2 * normalCdf(PLAN_FACTOR[plan] / ENVIRONMENT_FACTOR[environment] - uncertainty(n)) - 1)

/** π: the estimated confidence that a difference is within ± tolerance. `margin`: the uncertainty, if it is known. */
export function confidenceWithin(tolerance: number, { n, mean, s }: Sample, margin = uncertainty(n)): number {
  const above = studentCdf((tolerance - mean) / s - margin, n - 1)
  const below = studentCdf(-(tolerance + mean) / s + margin, n - 1)
  return 100 * (above - below)
}

/** Smallest tolerance with the required confidence, below 100, by bisection. */
export function smallestTolerance(sample: Sample, required: number): number {
  const { n, mean, s } = sample
  // At this distance beyond the mean, either end alone leaves out no more than half of what is allowed.
  const margin = uncertainty(n)
  const reach = studentQuantile(0.5 + required / 200, n - 1) + margin
  let [low, high] = [0, Math.abs(mean) + s * reach]
  const steps = Math.ceil(Math.log2(high / PRECISION))
  for (let step = 0; step < steps; step++) {
    const middle = (low + high) / 2
    if (confidenceWithin(middle, sample, margin) < required) low = middle
    else high = middle
  }
  return high
}

/** The c of the narrowest class E(c) with this tolerance. */
const WIDTH_OF_E: Readonly<Record<Criterion, (tolerance: number) => number>> = {
  gross: (tolerance) => tolerance,
  group: (tolerance) => tolerance / 1.1,
  singleAxle: (tolerance) => tolerance / 1.2,
  axleOfGroup: (tolerance) => (tolerance - 5) / 1.2,
}

/** The number in the name of a class: the smaller, the better. */
const widthOf = (earned: EarnedClass): number => Number(/\d+/.exec(earned)?.[0])

/** Result of a criterion, in percent. */
export type CriterionResult = {
  /** π0 */
  required: number
  smallestTolerance: number
  earned: EarnedClass
}

/** Evaluates a criterion; null if there is not enough data: under 10 pairs, or equal differences. */
export function evaluateCriterion(
  criterion: Criterion,
  { n, mean, s }: Moments,
  conditions: TestConditions,
): CriterionResult | null {
  if (n < MIN_PAIRS || mean === null || !s) return null
  const sample = { n, mean, s }
  const required = requiredConfidence(n, conditions)
  const factor = VERIFICATION_FACTOR[conditions.verification]
  const smallest = smallestTolerance(sample, required)
  const margin = uncertainty(n)
  const inTable = accuracyClasses.find(
    (name) => confidenceWithin(factor * tolerances[name][criterion], sample, margin) >= required,
  )
  const c = E_STEP * Math.ceil(WIDTH_OF_E[criterion](smallest / factor) / E_STEP)
  return { required, smallestTolerance: smallest, earned: inTable ?? `E(${Math.max(E_FIRST, c)})` }
}

export type LaneAccuracy = {
  criteria: Record<Criterion, CriterionResult | null>
  /** The worst of the four; null if any of them has not enough data. */
  earned: EarnedClass | null
}

/** Evaluates all criteria of a lane. */
export function evaluateAccuracy(samples: Record<Criterion, Moments>, conditions: TestConditions): LaneAccuracy {
  const results = criteria.map((criterion) => evaluateCriterion(criterion, samples[criterion], conditions))
  const earned = results.flatMap((result) => (result ? [result.earned] : []))
  return {
    criteria: Object.fromEntries(criteria.map((criterion, index) => [criterion, results[index]])) as Record<
      Criterion,
      CriterionResult | null
    >,
    earned:
      earned.length === criteria.length
        ? earned.reduce((worst, one) => (widthOf(one) > widthOf(worst) ? one : worst))
        : null,
  }
}

/** Whether the lane has earned a wider class than its configuration states. */
export const isWorse = (earned: EarnedClass, configured: AccuracyClass): boolean =>
  widthOf(earned) > widthOf(configured)
