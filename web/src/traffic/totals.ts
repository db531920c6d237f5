import { HEAVY_CATEGORIES } from '@rogatka/domain/statistics/dailyTraffic.ts'
import type { StationSummary } from './useTraffic.ts'

export type Totals = {
  /** Vehicles per day; null without a complete day at any station. */
  adt: number | null
  adtHeavy: number | null
  /** How many stations the ADT is of, and the equivalent axles. */
  adtStations: number
  axleStations: number
  /** Shares between 0 and 1. */
  heavyShare: number | null
  overloadedShare: number | null
  n100PerDay: number | null
}

type Summary = Pick<
  StationSummary,
  'adt' | 'adtHeavy' | 'vehicles' | 'heavyVehicles' | 'categories' | 'n100PerDay' | 'location'
>

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

const knownOf = (values: readonly (number | null)[]): number[] => values.filter((value) => value !== null)

/** The sum of the values that are known; null if none is. */
function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = knownOf(values)
  return known.length === 0 ? null : sum(known)
}

const shareOf = (part: number, whole: number) => (whole === 0 ? null : part / whole)

/** Figures of several stations together. */
export function totalsOf(stations: readonly Summary[]): Totals {
  const heavy = stations
    .flatMap(({ categories }) => categories)
    .filter(({ category }) => HEAVY_CATEGORIES.includes(Number(category)))
  return {
    adt: sumOfKnown(stations.map(({ adt }) => adt)),
    adtStations: knownOf(stations.map(({ adt }) => adt)).length,
    axleStations: knownOf(stations.map(({ n100PerDay }) => n100PerDay)).length,
    adtHeavy: sumOfKnown(stations.map(({ adtHeavy }) => adtHeavy)),
    heavyShare: shareOf(
      sum(stations.map(({ heavyVehicles }) => heavyVehicles)),
      sum(stations.map(({ vehicles }) => vehicles)),
    ),
    overloadedShare: shareOf(sum(heavy.map(({ overloaded }) => overloaded)), sum(heavy.map(({ judged }) => judged))),
    n100PerDay: sumOfKnown(stations.map(({ n100PerDay }) => n100PerDay)),
  }
}

/** Figures of two periods of the stations that have complete days in both, so that a station that was silent is no change. */
export function comparedTotals(now: readonly Summary[], before: readonly Summary[]): { now: Totals; before: Totals } {
  const isComplete = (stations: readonly Summary[], id: number) =>
    stations.some(({ adt, location }) => location.id === id && adt !== null)
  const common = (stations: readonly Summary[]) =>
    totalsOf(stations.filter(({ location }) => isComplete(now, location.id) && isComplete(before, location.id)))
  return { now: common(now), before: common(before) }
}
