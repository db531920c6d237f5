import { axleCount, axleLoad, grossLoad, type Passage } from '@rogatka/contract/inspections.ts'
import type { Excess, Weighing } from '@rogatka/contract/vehicle-weighing.ts'
import { axleGroups, GROUP_GAP_CM } from '../vehicle/axleGroups.ts'
import { kindOf } from '../vehicle/kind.ts'
import { axleLimit, grossLimit, groupLimit, type LoadLimits } from '../vehicle/limits.ts'

/** Percent of the gross weight by which the sum of axles or groups may differ from it. */
const MAX_DIFFERENCE_PERCENT = 3

/**
 * Weights as entered: axles or groups (number of axles and load), gross weight; kg, gaps in cm. `axles` has those on the
 * ground; `lifted` has the numbers of the others, from 1. `gaps` are between all of them.
 */
export type EnteredWeights = {
  axles: readonly number[] | null
  lifted?: readonly number[] | null | undefined
  gaps: readonly number[] | null
  groups: readonly { axles: number; load: number }[] | null
  gross: number | null
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

/** Number of axles of the vehicle, lifted ones included; null if only the gross weight was entered. */
export const countOf = ({ axles, lifted, groups }: EnteredWeights): number | null =>
  axles ? axles.length + (lifted?.length ?? 0) : groups && sumOf(groups.map((group) => group.axles))

type WeighedAxles = { axles: readonly unknown[] | null; lifted?: readonly number[] | null | undefined }

/** Numbers of the axles that were weighed one by one, from 1: all but the lifted ones. */
export const weighedNumbers = ({ axles, lifted }: WeighedAxles): number[] =>
  Array.from({ length: axles ? axles.length + (lifted?.length ?? 0) : 0 }, (_, at) => at + 1).filter(
    (number) => !lifted?.includes(number),
  )

/** Static loads of the axles with their numbers, front to rear; null load and limit: lifted. Empty if not weighed one by one. */
export function numberedAxles<Load extends object>({
  axles,
  lifted,
}: {
  axles: readonly Load[] | null
  lifted?: readonly number[] | undefined
}): { number: number; weighed: Load | null }[] {
  const numbers = weighedNumbers({ axles, lifted })
  return Array.from({ length: axles ? axles.length + (lifted?.length ?? 0) : 0 }, (_, at) => ({
    number: at + 1,
    weighed: axles?.[numbers.indexOf(at + 1)] ?? null,
  }))
}

type WeightsError = {
  path: 'axles' | 'lifted' | 'gaps' | 'groups' | 'gross'
  code: 'required-parameter-missing' | 'invalid-value' | 'value-too-small' | 'value-too-large' | 'weights-disagree'
}

/** The first error of entered weights, whose single values are within their bounds; null if valid. */
export function weightsError(weights: EnteredWeights): WeightsError | null {
  const { axles, gaps, groups, gross } = weights
  const count = countOf(weights)
  if (count === null && gross === null) return { path: 'axles', code: 'required-parameter-missing' }
  if (axles && groups) return { path: 'groups', code: 'invalid-value' }
  if (weights.lifted?.length && !areLifted(weights)) return { path: 'lifted', code: 'invalid-value' }
  if (gaps && gaps.length !== (count ?? 0) - 1) return { path: 'gaps', code: 'invalid-value' }
  if (groups) {
    if ((count as number) < axleCount.min) return { path: 'groups', code: 'value-too-small' }
    if ((count as number) > axleCount.max || groups.some(({ axles, load }) => load > axles * axleLoad.max))
      return { path: 'groups', code: 'value-too-large' }
    if (groups.some(({ axles, load }) => load < axles * axleLoad.min))
      return { path: 'groups', code: 'value-too-small' }
  }
  const sum = partsSum(weights)
  if (sum === null) return null
  if (gross === null) {
    if (sum < grossLoad.min) return { path: 'gross', code: 'value-too-small' }
    return sum > grossLoad.max ? { path: 'gross', code: 'value-too-large' } : null
  }
  const isEqual = 100 * Math.abs(sum - gross) <= MAX_DIFFERENCE_PERCENT * gross
  return isEqual ? null : { path: 'gross', code: 'weights-disagree' }
}

/** Whether the lifted axles are different ones of a vehicle whose other axles were weighed one by one. */
const areLifted = (weights: EnteredWeights): boolean => {
  const count = countOf(weights) ?? 0
  const lifted = weights.lifted ?? []
  const isOfVehicle = lifted.every((number) => number >= 1 && number <= count)
  return weights.axles !== null && count <= axleCount.max && isOfVehicle && new Set(lifted).size === lifted.length
}

const partsSum = ({ axles, groups }: EnteredWeights): number | null => {
  const parts = axles ?? groups?.map(({ load }) => load)
  return parts ? sumOf(parts) : null
}

/** The measured vehicle, as far as static weights are compared with it. */
type MeasuredVehicle = Pick<Passage, 'ctg8p1' | 'ctg323' | 'limitTotalLoad' | 'axles' | 'axlesComplex'>

type Law = {
  /** Legal limits when the vehicle was measured, or weighed if it was not measured; null if there are none. */
  limits: LoadLimits | null
  measured: MeasuredVehicle | null
  /** Category [8+1], corrected or measured. */
  ctg8p1: number | null
}

type StaticLoads = Pick<Weighing, 'gross' | 'axles' | 'lifted' | 'gaps' | 'groups'>

type Limit = number | null
/** Limits in kg: of the vehicle, of an axle within its group, and of a group of several axles; null without one. */
type LimitsOfLoads = {
  gross: Limit
  axle: (axle: number, group: readonly number[]) => Limit
  group: (group: readonly number[]) => Limit
}

const gapsOf = (measured: MeasuredVehicle | null): number[] | null =>
  measured?.axles?.slice(1).map(({ gap }) => gap) ?? null

/** Whether category, axles and spacings are those of the measurement, whose limits then hold. */
export function isAsMeasured(weights: EnteredWeights, { measured, ctg8p1 }: Omit<Law, 'limits'>): boolean {
  const count = countOf(weights)
  return (
    measured !== null &&
    ctg8p1 === measured.ctg8p1 &&
    (weights.gaps === null || String(weights.gaps) === String(gapsOf(measured))) &&
    (count === null || count === measured.axles?.length)
  )
}

/** Limits by the law, for spacings in cm and a number of axles; null if unknown. */
function limitsByLaw(
  { limits, measured, ctg8p1 }: Law,
  gaps: readonly number[] | null,
  count: number | null,
): LimitsOfLoads {
  const kind = kindOf(ctg8p1, ctg8p1 === measured?.ctg8p1 ? measured?.ctg323 : null)
  const vehicle = { kind, gaps: gaps ? [0, ...gaps] : [] }
  // Unknown spacings: in favour of the driver, none of a group.
  const known = gaps || count === null ? vehicle.gaps : Array<number>(count).fill(GROUP_GAP_CM + 1)
  return {
    gross: limits && known.length > 0 ? grossLimit(limits, { kind, gaps: known }) : null,
    axle: (axle, group) => (limits && gaps ? axleLimit(limits, vehicle, axle, group) : null),
    group: (group) => (limits && gaps ? groupLimit(limits, vehicle, group) : null),
  }
}

/** Limits of the measurement; by the law for a group that the measurement does not have. */
const limitsAsMeasured = (measured: MeasuredVehicle, byLaw: LimitsOfLoads): LimitsOfLoads => ({
  gross: measured.limitTotalLoad,
  axle: (axle) => measured.axles?.[axle - 1]?.limitTotalLoad ?? null,
  group: (group) => {
    const same = measured.axlesComplex?.axlesGroups.find((it) => String(it.axles) === String(group))
    return same ? same.limitTotalLoad : byLaw.group(group)
  },
})

/** cm between axles of the numbers, of the spacings between all axles; 0: not measured. */
function gapsBetween(numbers: readonly number[], gaps: readonly number[]): number[] {
  return numbers.slice(1).map((number, at) => {
    const between = gaps.slice((numbers[at] as number) - 1, number - 1)
    return between.includes(0) ? 0 : sumOf(between)
  })
}

/**
 * Limits of axles and groups on the ground, by their numbers. An axle that would be a driving axle if no axle were lifted
 * keeps the limit of one, in favour of the driver.
 */
function limitsOnGround(
  law: Law,
  byLaw: LimitsOfLoads,
  numbers: readonly number[],
  gaps: readonly number[] | null,
): Omit<LimitsOfLoads, 'gross'> {
  const onGround = limitsByLaw(law, gaps && gapsBetween(numbers, gaps), numbers.length)
  const positionsOf = (group: readonly number[]) => group.map((number) => numbers.indexOf(number) + 1)
  return {
    axle: (axle, group) => {
      const limit = onGround.axle(numbers.indexOf(axle) + 1, positionsOf(group))
      return limit && Math.max(limit, byLaw.axle(axle, [axle]) ?? 0)
    },
    group: (group) => onGround.group(positionsOf(group)),
  }
}

/** Spacings of the axles, cm: as entered, else as measured with as many axles; null if unknown. */
export function knownGaps(weights: EnteredWeights, measured: MeasuredVehicle | null): readonly number[] | null {
  const count = countOf(weights)
  const measuredGaps = gapsOf(measured)
  return weights.gaps ?? (count === null || measuredGaps?.length === count - 1 ? measuredGaps : null)
}

/**
 * The entered loads with groups and limits: those of the measurement, unless category, axles or spacings differ. Groups
 * are of axles on the ground.
 */
export function staticLoads(weights: EnteredWeights, law: Law): StaticLoads {
  const { axles, groups } = weights
  const { measured } = law
  const count = countOf(weights)
  const gaps = knownGaps(weights, measured)
  const numbers = weighedNumbers(weights)
  const isLifted = axles !== null && numbers.length < (count as number)
  const byLaw = limitsByLaw(law, gaps, count)
  const whole = measured && isAsMeasured(weights, law) ? limitsAsMeasured(measured, byLaw) : byLaw
  const limits = isLifted ? { gross: whole.gross, ...limitsOnGround(law, byLaw, numbers, gaps) } : whole
  const limitOf = (group: readonly number[]) =>
    group.length === 1 ? limits.axle(group[0] as number, group) : limits.group(group)

  const byGaps =
    gaps && isLifted
      ? axleGroups([0, ...gapsBetween(numbers, gaps)]).map((group) => group.map((at) => numbers[at - 1] as number))
      : axleGroups(gaps ? [0, ...gaps] : [])
  const loadOf = (number: number) => axles?.[numbers.indexOf(number)] as number
  const groupOf = (axle: number) => byGaps.find((group) => group.includes(axle)) ?? [axle]
  const weighedGroups = groups
    ? numberedGroups(groups)
    : axles
      ? byGaps.map((group) => ({ axles: group, load: sumOf(group.map(loadOf)) }))
      : []
  return {
    gross: { load: weights.gross ?? (partsSum(weights) as number), limit: limits.gross },
    axles: axles && numbers.map((axle) => ({ load: loadOf(axle), limit: limits.axle(axle, groupOf(axle)) })),
    ...(isLifted && { lifted: [...(weights.lifted ?? [])].sort((a, b) => a - b) }),
    gaps: gaps && [...gaps],
    groups: weighedGroups.map((group) => ({ ...group, limit: limitOf(group.axles) })),
  }
}

/** Numbers the axles of weighed groups from front to rear. */
function numberedGroups(groups: readonly { axles: number; load: number }[]) {
  let last = 0
  return groups.map(({ axles, load }) => {
    const first = last + 1
    last += axles
    return { axles: Array.from({ length: axles }, (_, at) => first + at), load }
  })
}

/**
 * Static loads that exceed their limit for sure, with the accuracy of the scale deducted: gross weight, then groups,
 * then axles. A group of one is an axle. Percents with one decimal, at least 0.1.
 */
export function excessesOf({ gross, axles, lifted, groups }: StaticLoads, accuracyPercent: number): Excess[] {
  // In whole numbers: thousandths of a kilogram.
  const certainShare = 1000 - Math.round(accuracyPercent * 10)
  const excessOf = (
    kind: Excess['kind'],
    numbers: number[],
    { load, limit }: { load: number; limit: number | null },
  ): Excess[] => {
    if (limit === null || load * certainShare <= limit * 1000) return []
    // At least a tenth, as an excess of 0.0 % would contradict the result.
    const tenths = Math.max(1, Math.round((load * certainShare - limit * 1000) / limit))
    const certain = Math.round((load * certainShare) / 1000)
    return [{ kind, axles: numbers, load, certain, limit, percent: tenths / 10 }]
  }
  const axleExcesses = axles
    ? numberedAxles({ axles, lifted }).flatMap(({ number, weighed }) =>
        weighed ? excessOf('axle', [number], weighed) : [],
      )
    : groups.flatMap((group) => (group.axles.length === 1 ? excessOf('axle', group.axles, group) : []))
  return [
    ...excessOf('gross', [], gross),
    ...groups.flatMap((group) => (group.axles.length > 1 ? excessOf('group', group.axles, group) : [])),
    ...axleExcesses,
  ]
}
