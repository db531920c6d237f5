import type { StatName } from '@rogatka/contract/statistics.ts'

/** What stands for a figure that is not there. */
const MISSING = '–'

/** Means have decimals, and so have a density and a load. */
const DECIMALS: Record<StatName, number> = {
  traffic: 0,
  trafficDensity: 2,
  minSpeed: 0,
  avgSpeed: 1,
  maxSpeed: 0,
  minTotalLoad: 2,
  avgTotalLoad: 2,
  maxTotalLoad: 2,
}
const KG_IN_TONNE = 1_000
/** An axis is never marked in finer steps than these. */
const FINEST_TICK = 3

/** How many decimals a figure has where people read it. */
export const decimalsOf = (statName: StatName): number => DECIMALS[statName]

/** A figure in the unit in which people read it: loads travel in kg and are read in tonnes. */
export const toDisplayUnit = (statName: StatName, figure: number): number =>
  statName.endsWith('TotalLoad') ? figure / KG_IN_TONNE : figure

/** As few decimals as tell the number. */
function decimalsNeeded(value: number): number {
  for (let decimals = 0; decimals < FINEST_TICK; decimals++) {
    const shifted = value * 10 ** decimals
    if (Math.abs(shifted - Math.round(shifted)) < 1e-6) return decimals
  }
  return FINEST_TICK
}

/** Writes the figures of a statistic alike on screen, image and paper; `number` knows the separators of a language. */
export const figureTexts = (statName: StatName, number: (value: number, decimals: number) => string) => ({
  /** In full, so that commas stand below each other in a column. */
  figure: (figure: number | null): string =>
    figure === null ? MISSING : number(toDisplayUnit(statName, figure), DECIMALS[statName]),
  /** On an axis, where whole numbers stay whole. */
  tick: (figure: number): string => {
    const value = toDisplayUnit(statName, figure)
    return number(value, decimalsNeeded(value))
  },
})
