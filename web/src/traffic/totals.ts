import { HEAVY_CATEGORIES } from '@rogatka/domain/statistics/dailyTraffic.ts'
import { shareOf } from './share.ts'
import type { StationSummary } from './useTraffic.ts'

/** Figures that are compared with those of an earlier period. */
const figures = ['adt', 'heavyShare', 'overloadedShare', 'n100PerDay'] as const
export type Figure = (typeof figures)[number]

export type Totals = {
  /** Vehicles per day; null without a complete day at any station. */
  adt: number | null
  adtHeavy: number | null
  /** Shares between 0 and 1. */
  heavyShare: number | null
  overloadedShare: number | null
  n100PerDay: number | null
  /** How many stations have the figure. */
  stations: Record<Figure, number>
}

/** A figure of two periods of the same stations, and how many these are. */
export type FigureComparison = { now: number | null; before: number | null; stations: number }

type Summary = Pick<
  StationSummary,
  'adt' | 'adtHeavy' | 'vehicles' | 'heavyVehicles' | 'categories' | 'n100PerDay' | 'location'
>

const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0)

/** The sum of the values that are known; null if none is. */
function sumOfKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : sum(known)
}

/** Categories that count as heavy, of which overload is shown. */
const heavyOf = ({ categories }: Summary) =>
  categories.filter(({ category }) => HEAVY_CATEGORIES.includes(Number(category)))

const hasFigure: Record<Figure, (station: Summary) => boolean> = {
  adt: ({ adt }) => adt !== null,
  heavyShare: ({ vehicles }) => vehicles > 0,
  overloadedShare: (station) => heavyOf(station).some(({ judged }) => judged > 0),
  n100PerDay: ({ n100PerDay }) => n100PerDay !== null,
}

/** A value for each figure. */
const forEachFigure = <T>(figureOf: (figure: Figure) => T) =>
  Object.fromEntries(figures.map((figure) => [figure, figureOf(figure)])) as Record<Figure, T>

/** Figures of several stations together. */
export function totalsOf(stations: readonly Summary[]): Totals {
  const heavy = stations.flatMap(heavyOf)
  return {
    adt: sumOfKnown(stations.map(({ adt }) => adt)),
    adtHeavy: sumOfKnown(stations.map(({ adtHeavy }) => adtHeavy)),
    heavyShare: shareOf(
      sum(stations.map(({ heavyVehicles }) => heavyVehicles)),
      sum(stations.map(({ vehicles }) => vehicles)),
    ),
    overloadedShare: shareOf(sum(heavy.map(({ overloaded }) => overloaded)), sum(heavy.map(({ judged }) => judged))),
    n100PerDay: sumOfKnown(stations.map(({ n100PerDay }) => n100PerDay)),
    stations: forEachFigure((figure) => stations.filter(hasFigure[figure]).length),
  }
}

/**
 * Compares figures of two periods. Each is of the stations that have it, and complete days, in both periods, so that a
 * station that was silent or did not weigh in one of them does not count as a change.
 */
export function comparedTotals(now: readonly Summary[], before: readonly Summary[]): Record<Figure, FigureComparison> {
  return forEachFigure((figure) => {
    const isKnown = (stations: readonly Summary[], id: number) =>
      stations.some((one) => one.location.id === id && one.adt !== null && hasFigure[figure](one))
    const totalOf = (stations: readonly Summary[]) =>
      totalsOf(stations.filter(({ location: { id } }) => isKnown(now, id) && isKnown(before, id)))
    const ofNow = totalOf(now)
    return { now: ofNow[figure], before: totalOf(before)[figure], stations: ofNow.stations[figure] }
  })
}
