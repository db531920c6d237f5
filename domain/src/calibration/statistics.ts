import type { CalibrationPeriod, CalibrationReference } from '@rogatka/contract/calibration.ts'
import { studentCdf } from '../core/distributions.ts'

/** General first-axle load, kg. Also the origin of `LoadSums`, to keep their squares small. */
export const GENERAL_FIRST_AXLE = 6_900
/** The days after the calibration in which the vehicles of a reference are collected. */
export const REFERENCE_DAYS = 7
/** Periods with fewer vehicles have only a count. */
const MIN_VEHICLES = 10

/** Integer sums of first-axle loads: count, sum of load minus GENERAL_FIRST_AXLE, sum of its squares. */
export type LoadSums = { vehicles: number; sum: number; squares: number }

type Moments = { vehicles: number; mean: number; variance: number }

/** Mean and sample variance (n - 1); variance 0 for a single vehicle. */
export function meanAndVariance({ vehicles, sum, squares }: LoadSums): Moments {
  const variance = vehicles > 1 ? (squares - (sum * sum) / vehicles) / (vehicles - 1) : 0
  return { vehicles, mean: GENERAL_FIRST_AXLE + sum / vehicles, variance: Math.max(0, variance) }
}

/** Coefficient of variation: the standard deviation in percent of the mean. */
export const variationOf = ({ mean, variance }: Moments): number => (100 * Math.sqrt(variance)) / mean

/** Two-sided Welch's t-test: the p-value of the difference of two means. Degrees of freedom by Welch–Satterthwaite. */
export function welch(a: Moments, b: Moments): { t: number; degreesOfFreedom: number; p: number } {
  const [ofA, ofB] = [a.variance / a.vehicles, b.variance / b.vehicles]
  const difference = a.mean - b.mean
  // Without variance any difference is significant, and equality is not.
  if (ofA + ofB === 0) {
    const t = difference === 0 ? 0 : Math.sign(difference) * Number.POSITIVE_INFINITY
    return { t, degreesOfFreedom: Number.POSITIVE_INFINITY, p: difference === 0 ? 1 : 0 }
  }
  const t = difference / Math.sqrt(ofA + ofB)
  const degreesOfFreedom = (ofA + ofB) ** 2 / (ofA ** 2 / (a.vehicles - 1) + ofB ** 2 / (b.vehicles - 1))
  return { t, degreesOfFreedom, p: 2 * studentCdf(-Math.abs(t), degreesOfFreedom) }
}

/** Reference of a lane: its frozen sample, or the general value until one exists. */
type Reference = Moments | null

const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals

const referenceMean = (reference: Reference): number => reference?.mean ?? GENERAL_FIRST_AXLE

/** Compares a period with the reference. Loads in whole kg, percents with two decimals. */
export function comparePeriod(loads: LoadSums, reference: Reference): Omit<CalibrationPeriod, 'dateTime'> {
  const { vehicles: counter } = loads
  if (counter < MIN_VEHICLES) {
    return { firstAxleAvg: null, firstAxleCov: null, counter, deviationFromReference: null, confidence: null }
  }
  const moments = meanAndVariance(loads)
  const mean = referenceMean(reference)
  return {
    firstAxleAvg: rounded(moments.mean, 0),
    firstAxleCov: rounded(variationOf(moments), 2),
    counter,
    deviationFromReference: rounded((100 * (moments.mean - mean)) / mean, 2),
    // The general value is not a sample: no test is possible.
    confidence: reference && rounded(100 * (1 - welch(moments, reference).p), 2),
  }
}

/** The reference in wire form. */
export const referenceOf = (
  reference: Reference,
  finish: { finishedAt: Date; finishedBy: string; collected: number } | null,
): CalibrationReference => ({
  firstAxleAvg: rounded(referenceMean(reference), 0),
  counter: reference?.vehicles ?? 0,
  provisional: reference === null,
  collected: reference?.vehicles ?? finish?.collected ?? 0,
  finishedAt: finish?.finishedAt ?? null,
  finishedBy: finish?.finishedBy ?? null,
})

/**
 * Index of the section of each period: the number of calibrations up to the middle of the period, where a chart has its
 * point.
 */
export const sectionsOf = (starts: readonly Date[], to: Date, finishes: readonly Date[]): number[] =>
  starts.map((start, index) => {
    const middle = (+start + +(starts[index + 1] ?? to)) / 2
    return finishes.filter((finish) => +finish <= middle).length
  })
