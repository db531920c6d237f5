import jStat from 'jstat'

/* Probability distributions, by jStat. Its error is measured in docs/decisions/105. */

/** Degrees of freedom from which on jStat loses digits. */
const MANY = 2_000

/** Probability of at most x, normal distribution with mean 0 and standard deviation 1. */
export const normalCdf = (x: number): number => jStat.normal.cdf(x, 0, 1)

/**
 * Probability of at most x, Student's t, to 7 digits. Many degrees of freedom by Abramowitz and Stegun, *Handbook of
 * Mathematical Functions*, 26.7.8.
 */
export function studentCdf(x: number, degreesOfFreedom: number): number {
  if (degreesOfFreedom < MANY) return jStat.studentt.cdf(x, degreesOfFreedom)
  return normalCdf((x * (1 - 1 / (4 * degreesOfFreedom))) / Math.sqrt(1 + x ** 2 / (2 * degreesOfFreedom)))
}

/** The x that is not exceeded with this probability, Student's t. */
export const studentQuantile = (probability: number, degreesOfFreedom: number): number =>
  jStat.studentt.inv(probability, degreesOfFreedom)
