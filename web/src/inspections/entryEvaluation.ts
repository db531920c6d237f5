import { differenceOf } from '@rogatka/domain/inspections/differences.ts'
import { countOf, excessesOf, isAsMeasured, knownGaps, staticLoads } from '@rogatka/domain/inspections/weighing.ts'
import type { LoadLimits } from '@rogatka/domain/vehicle/limits.ts'
import {
  enteredWeights,
  isOutOfBounds,
  isWithin,
  type MeasuredLoads,
  parseTonnes,
  progressOf,
  rowsOf,
  type WeightEntry,
} from './weightEntry.ts'

/** `accuracy`: over the limit, but within the accuracy of the scale. `unknown`: without load, limit or scale. */
export type LoadStatus = 'over' | 'accuracy' | 'within' | 'unknown'

export type EntryLine = {
  load: number | null
  limit: number | null
  status: LoadStatus
  /** Percent of the certain load over the limit; null unless `over`. */
  percent: number | null
  /** Of the measurement, once the static load is known; null without a counterpart. */
  wim: number | null
  /** Percent of WIM against the static load. */
  difference: number | null
}

function lineOf(
  load: number | null,
  limit: number | null,
  wim: number | null,
  accuracyPercent: number | null,
): EntryLine {
  const single = { gross: { load: load ?? 0, limit }, axles: null, gaps: null, groups: [] }
  const [excess] = load === null || accuracyPercent === null ? [] : excessesOf(single, accuracyPercent)
  const isKnown = load !== null && limit !== null && accuracyPercent !== null
  const status = !isKnown ? 'unknown' : excess ? 'over' : load > limit ? 'accuracy' : 'within'
  const known = load === null || load === 0 ? null : wim
  const difference = known === null || load === null ? null : differenceOf({ wim: known, scale: load })
  return { load, limit, status, percent: excess?.percent ?? null, wim: known, difference }
}

/** The vehicle as it was measured, its category [8+1] as stored, and the law; null or absent: not known here. */
type Vehicle = { measured: MeasuredLoads | null; ctg8p1: number | null; limits?: LoadLimits | null | undefined }

/** The loads of the entry so far, without those that are out of their bounds. */
function loadsOf(entry: WeightEntry, { measured, ctg8p1, limits = null }: Vehicle) {
  const within = rowsOf(entry).map((row) => (isOutOfBounds(entry, row) ? { ...row, text: '' } : row))
  const weights = enteredWeights({ ...entry, rows: { ...entry.rows, [entry.mode]: within } })
  const law = { limits, measured, ctg8p1: entry.ctg8p1 ?? ctg8p1 }
  const areLimitsKnown = limits !== null || (isAsMeasured(weights, law) && !weights.lifted)
  return { loads: staticLoads(weights, law), areLimitsKnown, weights }
}

/**
 * The entry against limits, accuracy of the scale (null: none is chosen, or it confirms nothing) and measurement, as far
 * as it is filled.
 */
export function evaluateEntry(entry: WeightEntry, vehicle: Vehicle, accuracyPercent: number | null) {
  const { measured } = vehicle
  const { loads, areLimitsKnown, weights } = loadsOf(entry, vehicle)
  const rows = rowsOf(entry)
  // The axles on the ground carry what lifted ones would.
  const isSameCount = !weights.lifted && countOf(weights) === measured?.axles?.length
  const measuredGroup = (axles: readonly number[] | undefined) =>
    measured?.axlesComplex?.axlesGroups.find((it) => String(it.axles) === String(axles))
  const weighedBefore = (at: number) => rows.slice(0, at).filter(({ isLifted }) => !isLifted).length
  const lines = rows.map((row, at): EntryLine => {
    if (row.isLifted) return lineOf(null, null, null, null)
    const load = isWithin(entry, row) ? parseTonnes(row.text) : null
    const limit = {
      axles: loads.axles?.[weighedBefore(at)]?.limit,
      groups: loads.groups[at]?.limit,
      gross: loads.gross.limit,
    }
    const wim = {
      axles: isSameCount ? measured?.axles?.[at]?.totalLoad : null,
      groups: isSameCount ? measuredGroup(loads.groups[at]?.axles)?.totalLoad : null,
      gross: measured?.totalLoad,
    }
    return lineOf(load, limit[entry.mode] ?? null, wim[entry.mode] ?? null, accuracyPercent)
  })
  const { done, of } = progressOf(entry)
  const isWhole = done === of
  return {
    lines,
    /** Groups of several axles with their sum so far. */
    groups: entry.mode === 'axles' ? loads.groups.filter(({ axles }) => axles.length > 1) : [],
    gross: lineOf(loads.gross.load, loads.gross.limit, isWhole ? (measured?.totalLoad ?? null) : null, accuracyPercent),
    done,
    of,
    /** Axles of the rows that are filled; 0 for the whole vehicle. */
    axles: rows.filter((row) => isWithin(entry, row)).reduce((sum, row) => sum + row.axles, 0),
    /** Limits that are exceeded for sure already. */
    excesses: accuracyPercent === null ? [] : excessesOf(loads, accuracyPercent),
    /** Whether the limits follow from the law or the measurement with the same axles; else only the server has them. */
    areLimitsKnown,
    /** Spacings on which limits of axles and groups depend, by the axles beside them; empty if all are known. */
    missingGaps:
      entry.mode === 'axles' && knownGaps(weights, measured) === null
        ? rows.slice(1).flatMap((_, at) => (entry.gaps?.[at] === undefined ? [[at + 1, at + 2] as const] : []))
        : [],
    /** Numbers of the axles that were lifted. */
    lifted: weights.lifted ?? [],
  }
}

/** Difference in percent above which a figure is questioned once. */
const QUESTIONED_PERCENT = 15

/** The row that was filled just now, if its difference is so large that it should be checked. */
export const isQuestionable = ({ difference }: EntryLine): boolean =>
  difference !== null && Math.abs(difference) > QUESTIONED_PERCENT
