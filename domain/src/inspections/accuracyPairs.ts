import type { Selection } from '@rogatka/contract/options.ts'
import { DAY_MS } from '../core/time.ts'
import { dateOf } from '../core/warsaw.ts'
import type { Environment } from './accuracyClass.ts'
import { type Comparison, type Criterion, compareWeights, isPair, type Pair, type Weights } from './differences.ts'

/** A vehicle weighed by WIM and by a static scale. */
export type WeighedTwice = {
  /** Of the detection. */
  at: Date
  selection: Selection
  /** Whether the static scale was valid on that day. */
  scaleValid: boolean
  wim: Weights
  scale: Weights
}

/** Why a static load is left out of the sample. */
export const exclusions = [
  'selection',
  'scaleNotValid',
  'notWeighed',
  'axlesDiffer',
  'groupsDiffer',
  'underMinimum',
] as const
export type Exclusion = (typeof exclusions)[number]

/**
 * Selections without bias. A lorry is preselected because WIM read high, so that the mean difference of preselected ones
 * is too high.
 */
export const UNBIASED: readonly Selection[] = ['random', 'reference']

/** Whether the mean difference is biased upwards. */
export const isBiased = (selections: readonly Selection[]): boolean => selections.includes('preselected')

/** Loads must exceed these, kg; a group has no minimum. */
const MINIMUM: Readonly<Record<Criterion, number>> = { gross: 3_500, group: 0, singleAxle: 1_000, axleOfGroup: 1_000 }

export type AccuracyPairs = {
  pairs: Record<Criterion, Pair[]>
  /** Static loads left out, by reason; each load is a pair or is left out for one reason, the first that applies. */
  leftOut: Record<Exclusion, number>
  /** Time over which the pairs extend; null without pairs. */
  environment: Environment | null
}

/** Why a comparison is left out; null if it belongs to the sample. */
export function exclusionOf(
  { selection, scaleValid }: WeighedTwice,
  comparison: Comparison,
  selections: readonly Selection[],
): Exclusion | null {
  if (!selections.includes(selection)) return 'selection'
  if (!scaleValid) return 'scaleNotValid'
  if (!isPair(comparison)) return comparison.without
  return comparison.scale > MINIMUM[comparison.criterion] ? null : 'underMinimum'
}

/** Pairs of a lane for its accuracy class. Outliers stay in. */
export function accuracyPairs(
  vehicles: Iterable<WeighedTwice>,
  selections: readonly Selection[] = UNBIASED,
): AccuracyPairs {
  const pairs: AccuracyPairs['pairs'] = { gross: [], group: [], singleAxle: [], axleOfGroup: [] }
  const leftOut = Object.fromEntries(exclusions.map((reason) => [reason, 0])) as Record<Exclusion, number>
  const days = new Set<string>()
  for (const vehicle of vehicles)
    for (const comparison of compareWeights(vehicle.wim, vehicle.scale)) {
      const exclusion = exclusionOf(vehicle, comparison, selections)
      if (exclusion) leftOut[exclusion]++
      else if (isPair(comparison)) {
        pairs[comparison.criterion].push(comparison)
        days.add(dateOf(vehicle.at))
      }
    }
  return { pairs, leftOut, environment: days.size > 0 ? environmentOf([...days]) : null }
}

const YEAR_MONTHS = 8
const WEEKS = { days: 5, extent: 7 }

/**
 * Time over which the days (`2026-10-20`) of the pairs extend: III in 8 calendar months or more; II on 5 days or more, of
 * which the last is at least the seventh from the first; else I.
 */
export function environmentOf(days: readonly string[]): Environment {
  const distinct = [...new Set(days)].sort()
  return environmentOfDays({
    months: new Set(distinct.map((day) => day.slice(0, 7))).size,
    days: distinct.length,
    first: distinct[0] ?? '',
    last: distinct.at(-1) ?? '',
  })
}

/** The same by the numbers of distinct months and days, the first and the last day. */
export function environmentOfDays(of: { months: number; days: number; first: string; last: string }): Environment {
  if (of.months >= YEAR_MONTHS) return 'III'
  const extent = (Date.parse(of.last) - Date.parse(of.first)) / DAY_MS + 1
  return of.days >= WEEKS.days && extent >= WEEKS.extent ? 'II' : 'I'
}
