import type { StatName } from '@rogatka/contract/options.ts'

/**
 * Integer sums of vehicles, so that partial sums add up exactly. `measured` vehicles have the requested value; sum, min
 * and max are of speeds (km/h), loads (kg), or for the density inverse speeds: 1,000,000 / speed, rounded; below 5 km/h
 * that of 5.
 */
export type Sums = { vehicles: number; measured: number; sum: number; min: number | null; max: number | null }

export const EMPTY_SUMS: Sums = { vehicles: 0, measured: 0, sum: 0, min: null, max: null }

const extreme = (pick: (a: number, b: number) => number, a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : pick(a, b)

/** Adds two sums. */
export const add = (a: Sums, b: Sums): Sums => ({
  vehicles: a.vehicles + b.vehicles,
  measured: a.measured + b.measured,
  sum: a.sum + b.sum,
  min: extreme(Math.min, a.min, b.min),
  max: extreme(Math.max, a.max, b.max),
})

/** Quotient of two integers, rounded to a number of decimals; a single division, so that halves are exact. */
const quotient = (dividend: number, divisor: number, decimals: number): number =>
  Math.round((10 ** decimals * dividend) / divisor) / 10 ** decimals

/**
 * Density: flow divided by space-mean speed, vehicles per km, two decimals. The space-mean speed is the harmonic mean
 * of measured speeds. An hour has 3,600,000 ms and 1 km/h an inverse speed of 1,000,000: factor 36 to 10.
 */
const density = ({ vehicles, measured, sum }: Sums, ms: number): number | null =>
  measured === 0 || ms === 0 ? null : quotient(36 * vehicles * sum, 10 * ms * measured, 2)

const mean = ({ measured, sum }: Sums, decimals: number): number | null =>
  measured === 0 ? null : quotient(sum, measured, decimals)

/**
 * Displayed value of a period of this many ms; null without any, as nothing is counted then. Without vehicles 0 for traffic, null
 * for all else. Mean speeds have one decimal, loads none.
 */
export function figureOf(statName: StatName, sums: Sums, ms: number): number | null {
  switch (statName) {
    case 'traffic':
      return ms === 0 ? null : sums.vehicles
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
