/*
 * Differences of WIM against a static scale (docs/domain.md, WIM against static). Loads are in whole kg, differences in
 * percent of the static load.
 */

export const criteria = ['gross', 'group', 'singleAxle', 'axleOfGroup'] as const
export type Criterion = (typeof criteria)[number]

/** One side's loads; null or 0 if not weighed, or only in part. */
export type Weights = {
  gross: number | null
  /** One by one; null if only groups, or the whole vehicle, were weighed. */
  axles: readonly (number | null)[] | null
  /** With lifted axles, the others carry what those would: only the gross weight is compared. */
  hasLifted?: boolean
  /** Axle groups by the numbers of their axles, from 1; a single axle is a group of one. */
  groups: readonly { axles: readonly number[]; load: number | null }[]
}

export type Pair = { criterion: Criterion; wim: number; scale: number }

/** Why a static load has no counterpart. */
type NoCounterpart = 'notWeighed' | 'axlesDiffer' | 'groupsDiffer'

/** A static load with its counterpart, or the reason why it has none. */
export type Comparison = Pair | { criterion: Criterion; without: NoCounterpart }

const axleCountOf = ({ axles, groups }: Weights): number =>
  axles?.length ?? groups.reduce((sum, group) => sum + group.axles.length, 0)

const haveSameAxles = (wim: Weights, scale: Weights): boolean =>
  !scale.hasLifted && axleCountOf(wim) === axleCountOf(scale)

/** Loads of both sides; a reason in place of the WIM load if the sides cannot be compared. */
type Candidate = {
  criterion: Criterion
  scale: number | null | undefined
  wim: number | null | undefined | NoCounterpart
}

/** The load of a group, and those of its axles; a group of one is a single axle. */
function groupCandidates({ axles, load }: Weights['groups'][number], wim: Weights, scale: Weights): Candidate[] {
  const counterpart = wim.groups.find((group) => group.axles.join() === axles.join())
  const isComparable = haveSameAxles(wim, scale)
  const unless = (wimLoad: number | null | undefined) =>
    isComparable ? (counterpart ? wimLoad : 'groupsDiffer') : 'axlesDiffer'
  if (axles.length === 1) return [{ criterion: 'singleAxle', scale: load, wim: unless(counterpart?.load) }]
  return [
    { criterion: 'group', scale: load, wim: unless(counterpart?.load) },
    ...axles.map(
      (axle): Candidate => ({
        criterion: 'axleOfGroup',
        scale: scale.axles?.[axle - 1],
        wim: unless(wim.axles?.[axle - 1]),
      }),
    ),
  ]
}

/** Axles of which the groups are unknown, as the spacings are: each counts as a single axle. */
const ungroupedCandidates = (wim: Weights, scale: Weights): Candidate[] =>
  (scale.groups.length > 0 ? [] : (scale.axles ?? [])).map((load) => ({
    criterion: 'singleAxle',
    scale: load,
    wim: haveSameAxles(wim, scale) ? 'groupsDiffer' : 'axlesDiffer',
  }))

/**
 * Compares every static load with its counterpart. Axles are compared only if both sides count as many, groups and their
 * axles only if both sides group them alike.
 */
export const compareWeights = (wim: Weights, scale: Weights): Comparison[] =>
  [
    { criterion: 'gross' as const, scale: scale.gross, wim: wim.gross },
    ...scale.groups.flatMap((group) => groupCandidates(group, wim, scale)),
    ...ungroupedCandidates(wim, scale),
  ].flatMap((candidate): Comparison[] => {
    const { criterion } = candidate
    if (!candidate.scale) return []
    if (typeof candidate.wim === 'string') return [{ criterion, without: candidate.wim }]
    return [
      candidate.wim ? { criterion, wim: candidate.wim, scale: candidate.scale } : { criterion, without: 'notWeighed' },
    ]
  })

export const isPair = (comparison: Comparison): comparison is Pair => 'wim' in comparison

/** Difference in percent of the static load. */
export const differenceOf = ({ wim, scale }: Pick<Pair, 'wim' | 'scale'>): number => (100 * (wim - scale)) / scale

/** Sums of differences, which can be added up and computed by SQL. */
export type DifferenceSums = { n: number; sum: number; squares: number; within5: number; within10: number }

export const NO_DIFFERENCES: DifferenceSums = { n: 0, sum: 0, squares: 0, within5: 0, within10: 0 }

/** Mean and standard deviation (n - 1) in percent; null without, or with a single difference. */
export type DifferenceSummary = {
  n: number
  mean: number | null
  s: number | null
  within5: number
  within10: number
}

/** Relative rounding error of sums of up to a million differences. */
const ROUNDING = 1e-12

export function summariseDifferences({ n, sum, squares, within5, within10 }: DifferenceSums): DifferenceSummary {
  const mean = n > 0 ? sum / n : null
  const around = n > 0 ? squares - sum ** 2 / n : 0
  // Equal differences leave only a rounding error, which may be negative.
  const s = n > 1 ? Math.sqrt((around > ROUNDING * squares ? around : 0) / (n - 1)) : null
  return { n, mean, s, within5, within10 }
}
