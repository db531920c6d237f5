import { axleCount, axleLoad, grossLoad, type Passage } from '@rogatka/contract/inspections.ts'
import { differenceOf } from '@rogatka/domain/inspections/differences.ts'
import { type EnteredWeights, excessesOf, staticLoads, weightsError } from '@rogatka/domain/inspections/weighing.ts'

/*
 * Entry of static weights by keypad: tonnes with a decimal comma, row by row.
 */

export const entryModes = ['axles', 'groups', 'gross'] as const
export type EntryMode = (typeof entryModes)[number]

/** `axles`: number of axles in the row. `isLifted`: the axle was not on the road, so it is not weighed. */
type EntryRow = { axles: number; text: string; isLifted: boolean }

/** What was typed, in each mode; `current` is the row that the keypad fills. */
export type WeightEntry = { mode: EntryMode; rows: Record<EntryMode, EntryRow[]>; current: number }

/** The measurement, as far as static weights are compared with it. */
export type MeasuredLoads = Pick<
  Passage,
  'ctg8p1' | 'ctg323' | 'limitTotalLoad' | 'axles' | 'axlesComplex' | 'totalLoad'
>

const emptyRow = (axles: number): EntryRow => ({ axles, text: '', isLifted: false })

/** An empty entry with the axles that were measured, else with two. */
export function startEntry(measured: Pick<MeasuredLoads, 'axles' | 'axlesComplex'> | null): WeightEntry {
  const count = Math.max(axleCount.min, measured?.axles?.length ?? 0)
  return {
    mode: 'axles',
    rows: {
      axles: Array.from({ length: count }, () => emptyRow(1)),
      groups: (measured?.axlesComplex?.axlesGroups ?? []).map(({ axles }) => emptyRow(axles.length)),
      gross: [emptyRow(0)],
    },
    current: 0,
  }
}

export const rowsOf = ({ mode, rows }: WeightEntry): readonly EntryRow[] => rows[mode]

/** Modes that are offered: groups only if they are known. */
export const modesOf = ({ rows }: WeightEntry): EntryMode[] => entryModes.filter((mode) => rows[mode].length > 0)

/** Digits before and after the comma. */
const WHOLE_DIGITS = { axles: 2, groups: 3, gross: 3 } as const
const DECIMALS = 2

/** kg of tonnes with a decimal comma; null if it is no number. */
export function parseTonnes(text: string): number | null {
  const [, whole, decimals = ''] = /^(\d+)(?:,(\d*))?$/.exec(text) ?? []
  return whole === undefined ? null : Number(whole) * 1000 + Number(decimals.padEnd(3, '0').slice(0, 3))
}

const tonnesText = (kg: number): string => (kg / 1000).toFixed(DECIMALS).replace('.', ',')

function changeRow(entry: WeightEntry, at: number, change: Partial<EntryRow>): WeightEntry {
  const rows = entry.rows[entry.mode].map((row, index) => (index === at ? { ...row, ...change } : row))
  return { ...entry, rows: { ...entry.rows, [entry.mode]: rows } }
}

export type EntryKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | ',' | 'back'

/** The entry after a key; keys that would make no valid number are ignored. */
export function pressKey(entry: WeightEntry, key: EntryKey): WeightEntry {
  const row = rowsOf(entry)[entry.current]
  if (!row) return entry
  if (key === 'back') return changeRow(entry, entry.current, { text: row.text.slice(0, -1), isLifted: false })
  const text = key === ',' && row.text === '' ? '0,' : row.text + key
  const isNumber = new RegExp(`^\\d{1,${WHOLE_DIGITS[entry.mode]}}(,\\d{0,${DECIMALS}})?$`).test(text)
  return isNumber ? changeRow(entry, entry.current, { text, isLifted: false }) : entry
}

export const selectMode = (entry: WeightEntry, mode: EntryMode): WeightEntry => ({ ...entry, mode, current: 0 })

export const selectRow = (entry: WeightEntry, current: number): WeightEntry =>
  current < 0 || current >= rowsOf(entry).length ? entry : { ...entry, current }

/** Whether the axle can be left out: at least two others are weighed. */
export const canLift = (entry: WeightEntry): boolean =>
  entry.mode === 'axles' &&
  entry.rows.axles.filter(({ isLifted }, at) => !isLifted && at !== entry.current).length >= axleCount.min

/** Leaves out the current axle, which was lifted, and moves on. */
export const liftAxle = (entry: WeightEntry): WeightEntry =>
  canLift(entry) ? nextRow(changeRow(entry, entry.current, { text: '', isLifted: true })) : entry

/** Adds an axle that was not measured, as the current row. */
export function addAxle(entry: WeightEntry): WeightEntry {
  if (entry.mode !== 'axles' || entry.rows.axles.length >= axleCount.max) return entry
  const axles = [...entry.rows.axles, emptyRow(1)]
  return { ...entry, rows: { ...entry.rows, axles }, current: axles.length - 1 }
}

const bounds = {
  axles: () => axleLoad,
  groups: (axles: number) => ({ min: axles * axleLoad.min, max: axles * axleLoad.max }),
  gross: () => grossLoad,
}

/** Bounds in kg of a row. */
export const boundsOf = ({ mode }: WeightEntry, { axles }: EntryRow): { min: number; max: number } =>
  bounds[mode](axles)

const isWithin = (entry: WeightEntry, row: EntryRow): boolean => {
  const load = parseTonnes(row.text)
  const { min, max } = boundsOf(entry, row)
  return load !== null && load >= min && load <= max
}

const isDone = (entry: WeightEntry, row: EntryRow): boolean => row.isLifted || isWithin(entry, row)

/** Whether the row has a number that is out of its bounds. */
export const isOutOfBounds = (entry: WeightEntry, row: EntryRow): boolean =>
  parseTonnes(row.text) !== null && !isWithin(entry, row)

/** What is too large: the current row, or the sum of all rows; `max` in kg. Null: nothing is, as far as it is typed. */
export function faultOf(entry: WeightEntry): { max: number; isSum?: boolean } | null {
  const row = rowsOf(entry)[entry.current]
  const { max } = row ? boundsOf(entry, row) : grossLoad
  if (row && (parseTonnes(row.text) ?? 0) > max) return { max }
  const isFilled = rowsOf(entry).every((it) => isDone(entry, it))
  const error = isFilled ? weightsError(enteredWeights(entry, null)) : null
  return error?.code === 'value-too-large' ? { max: grossLoad.max, isSum: true } : null
}

/** Whether the key is a digit before the comma that is not taken, as the number would be too large. */
export function isTooLong(entry: WeightEntry, key: EntryKey): boolean {
  const text = rowsOf(entry)[entry.current]?.text ?? ''
  return /^\d$/.test(key) && !text.includes(',') && text.length >= WHOLE_DIGITS[entry.mode]
}

/** The next row that is still to be filled, from the current one on; itself if it is not filled. */
export function nextRow(entry: WeightEntry): WeightEntry {
  const rows = rowsOf(entry)
  const order = rows.map((_, offset) => (entry.current + offset) % rows.length)
  const next = order.find((at) => !isDone(entry, rows[at] as EntryRow))
  return next === undefined ? entry : { ...entry, current: next }
}

export const isComplete = (entry: WeightEntry): boolean =>
  rowsOf(entry).every((row) => isDone(entry, row)) && weightsError(enteredWeights(entry, null)) === null

/** Number of rows that are filled, of those that are weighed. */
export function progressOf(entry: WeightEntry): { done: number; of: number } {
  const rows = rowsOf(entry).filter(({ isLifted }) => !isLifted)
  return { done: rows.filter((row) => isWithin(entry, row)).length, of: rows.length }
}

/**
 * The weights as entered, kg; missing ones are 0. Spacings only where axles were left out: those beside it are added
 * up.
 */
export function enteredWeights(entry: WeightEntry, measured: Pick<MeasuredLoads, 'axles'> | null): EnteredWeights {
  const loadOf = ({ text }: EntryRow) => parseTonnes(text) ?? 0
  const none = { axles: null, gaps: null, groups: null, gross: null }
  if (entry.mode === 'gross') return { ...none, gross: loadOf(entry.rows.gross[0] as EntryRow) }
  if (entry.mode === 'groups')
    return { ...none, groups: entry.rows.groups.map((row) => ({ axles: row.axles, load: loadOf(row) })) }
  const weighed = entry.rows.axles.filter(({ isLifted }) => !isLifted)
  return { ...none, axles: weighed.map(loadOf), gaps: gapsWithoutLifted(entry.rows.axles, measured) }
}

/** cm between the axles that are weighed; null if none was left out, or without spacings of all axles. */
function gapsWithoutLifted(rows: readonly EntryRow[], measured: Pick<MeasuredLoads, 'axles'> | null): number[] | null {
  const axles = measured?.axles
  if (!axles || axles.length !== rows.length || rows.every(({ isLifted }) => !isLifted)) return null
  let position = 0
  const positions = axles.map(({ gap }) => (position += gap))
  const weighed = positions.filter((_, at) => !rows[at]?.isLifted)
  const gaps = weighed.slice(1).map((at, index) => at - (weighed[index] as number))
  return gaps.every((gap) => gap > 0) ? gaps : null
}

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

/** The entry against limits, accuracy of the scale (null: none is chosen, or it confirms nothing) and measurement, as far as it is filled. */
export function evaluateEntry(entry: WeightEntry, measured: MeasuredLoads | null, accuracyPercent: number | null) {
  const within = rowsOf(entry).map((row) => (isOutOfBounds(entry, row) ? { ...row, text: '' } : row))
  const weights = enteredWeights({ ...entry, rows: { ...entry.rows, [entry.mode]: within } }, measured)
  const loads = staticLoads(weights, { limits: null, measured, ctg8p1: measured?.ctg8p1 ?? null })
  const rows = rowsOf(entry)
  const isAsMeasured = entry.mode !== 'axles' || weights.axles?.length === measured?.axles?.length
  let weighedBefore = 0
  const lines = rows.map((row, at): EntryLine => {
    if (row.isLifted) return lineOf(null, null, null, null)
    const index = weighedBefore++
    const load = isWithin(entry, row) ? parseTonnes(row.text) : null
    const limit = { axles: loads.axles?.[index]?.limit, groups: loads.groups[at]?.limit, gross: loads.gross.limit }
    const wim = {
      axles: isAsMeasured ? measured?.axles?.[at]?.totalLoad : null,
      groups: measured?.axlesComplex?.axlesGroups[at]?.totalLoad,
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
  }
}

/** Difference in percent above which a figure is questioned once. */
const QUESTIONED_PERCENT = 15

/** The row that was filled just now, if its difference is so large that it should be checked. */
export const isQuestionable = ({ difference }: EntryLine): boolean =>
  difference !== null && Math.abs(difference) > QUESTIONED_PERCENT

/** A stored weighing as an entry, to correct it. */
export function entryOf(
  weighing: { axles: { load: number }[] | null; groups: { axles: number[]; load: number }[]; gross: { load: number } },
  measured: Pick<MeasuredLoads, 'axles' | 'axlesComplex'> | null,
): WeightEntry {
  const entry = startEntry(measured)
  const filled = (axles: number, { load }: { load: number }): EntryRow => ({
    axles,
    text: tonnesText(load),
    isLifted: false,
  })
  const gross = [filled(0, weighing.gross)]
  if (weighing.axles)
    return { ...entry, rows: { ...entry.rows, axles: weighing.axles.map((axle) => filled(1, axle)), gross } }
  if (weighing.groups.length > 0) {
    const groups = weighing.groups.map((group) => filled(group.axles.length, group))
    return { ...entry, mode: 'groups', rows: { ...entry.rows, groups, gross } }
  }
  return { ...entry, mode: 'gross', rows: { ...entry.rows, gross } }
}
