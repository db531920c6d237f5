import type { StatName } from '@rogatka/contract/statistics.ts'

/**
 * What is known of some vehicles in whole numbers, so that parts add up to exactly what a recount of all gives.
 * `measured` vehicles have the value that is asked for; sum, min and max are of speeds (km/h), of loads (kg), or for
 * the density of slowness: 1,000,000 / speed, rounded; below 5 km/h that of 5.
 */
export type Sums = { vehicles: number; measured: number; sum: number; min: number | null; max: number | null }

export const EMPTY_SUMS: Sums = { vehicles: 0, measured: 0, sum: 0, min: null, max: null }

const extreme = (pick: (a: number, b: number) => number, a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : pick(a, b)

/** The sums of two lots of vehicles together. */
export const add = (a: Sums, b: Sums): Sums => ({
  vehicles: a.vehicles + b.vehicles,
  measured: a.measured + b.measured,
  sum: a.sum + b.sum,
  min: extreme(Math.min, a.min, b.min),
  max: extreme(Math.max, a.max, b.max),
})

/** Of one whole number by another, with so many decimals; one division only, so that a half is a half. */
const quotient = (dividend: number, divisor: number, decimals: number): number =>
  Math.round((10 ** decimals * dividend) / divisor) / 10 ** decimals

/**
 * Flow divided by space-mean speed, vehicles per km, two decimals. The space-mean speed is the harmonic mean of the
 * measured ones: a slow vehicle is longer on a kilometre than a fast one.
 * An hour has 3,600,000 ms and 1 km/h a slowness of 1,000,000: 36 to 10.
 */
const density = ({ vehicles, measured, sum }: Sums, ms: number): number | null =>
  measured === 0 || ms <= 0 ? null : quotient(36 * vehicles * sum, 10 * ms * measured, 2)

const mean = ({ measured, sum }: Sums, decimals: number): number | null =>
  measured === 0 ? null : quotient(sum, measured, decimals)

/**
 * The figure that is shown for these vehicles in a period of so many milliseconds: 0 vehicles are 0 traffic, and
 * nothing to tell of the rest. Speeds have one decimal in the mean, loads none.
 */
export function figureOf(statName: StatName, sums: Sums, ms: number): number | null {
  switch (statName) {
    case 'traffic':
      return sums.vehicles
    case 'trafficDensity':
      return density(sums, ms)
    case 'avgSpeed':
      return mean(sums, 1)
    case 'avgTotalLoad':
      return mean(sums, 0)
    case 'minSpeed':
    case 'minTotalLoad':
      return sums.min
    case 'maxSpeed':
    case 'maxTotalLoad':
      return sums.max
  }
}
