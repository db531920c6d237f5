import type { StatName } from '@rogatka/contract/options.ts'

/** Placeholder for missing values. */
const MISSING = '–'

/** Means, densities and loads have decimals. */
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
/** Maximum decimals of axis labels. */
const MAX_TICK_DECIMALS = 3

/** Decimals of a displayed value. */
export const decimalsOf = (statName: StatName): number => DECIMALS[statName]

/** Converts a value to its displayed unit: loads from kg to tonnes. */
export const toDisplayUnit = (statName: StatName, figure: number): number =>
  statName.endsWith('TotalLoad') ? figure / KG_IN_TONNE : figure

/** Whether a figure has gaps on both sides, so that it has no line and needs a marker. */
export const isIsolated = (figures: readonly (number | null)[], i: number): boolean =>
  figures[i] != null && figures[i - 1] == null && figures[i + 1] == null

/** Indices of the figures that need a marker. */
export const isolatedRows = (figures: readonly (number | null)[]): number[] =>
  [...figures.keys()].filter((i) => isIsolated(figures, i))

/** Number of decimals that show the value exactly, at most MAX_TICK_DECIMALS. */
function decimalsNeeded(value: number): number {
  for (let decimals = 0; decimals < MAX_TICK_DECIMALS; decimals++) {
    const shifted = value * 10 ** decimals
    if (Math.abs(shifted - Math.round(shifted)) < 1e-6) return decimals
  }
  return MAX_TICK_DECIMALS
}

/** Formats values identically on screen, images and PDF; `number` formats with the separators of the language. */
export const figureFormats = (statName: StatName, number: (value: number, decimals: number) => string) => ({
  /** With fixed decimals, so that columns align. */
  figure: (figure: number | null): string =>
    figure === null ? MISSING : number(toDisplayUnit(statName, figure), DECIMALS[statName]),
  /** For axes, where integers have no decimals. */
  tick: (figure: number): string => {
    const value = toDisplayUnit(statName, figure)
    return number(value, decimalsNeeded(value))
  },
})
