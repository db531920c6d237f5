import type { Selection } from '@rogatka/contract/options.ts'
import { DAY_MS } from '../core/time.ts'
import type { Environment } from './accuracyClass.ts'
import { type Comparison, type Criterion, isPair, type Weights } from './differences.ts'

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
 * Whether the mean difference is biased upwards. A lorry is preselected because WIM read high, so that the mean difference
 * of preselected ones is too high.
 */
export const isBiased = (selections: readonly Selection[]): boolean => selections.includes('preselected')

/** Loads must exceed these, kg; a group has no minimum. */
const MINIMUM: Readonly<Record<Criterion, number>> = { gross: 3_500, group: 0, singleAxle: 1_000, axleOfGroup: 1_000 }

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

const YEAR_MONTHS = 8
const WEEKS = { days: 5, extent: 7 }

/**
 * Time over which pairs extend, by the numbers of distinct months and days, the first and the last day: III in 8 calendar
 * months or more; II on 5 days or more, of which the last is at least the seventh from the first; else I.
 */
export function environmentOfDays(of: { months: number; days: number; first: string; last: string }): Environment {
  if (of.months >= YEAR_MONTHS) return 'III'
  const extent = (Date.parse(of.last) - Date.parse(of.first)) / DAY_MS + 1
  return of.days >= WEEKS.days && extent >= WEEKS.extent ? 'II' : 'I'
}
