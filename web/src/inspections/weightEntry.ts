import { axleCount, axleLoad, grossLoad, type Passage } from '@rogatka/contract/inspections.ts'
import { type EnteredWeights, numberedAxles, weightsError } from '@rogatka/domain/inspections/weighing.ts'
import { axleGroups } from '@rogatka/domain/vehicle/axleGroups.ts'

/*
 * Entry of static weights by keypad: tonnes with a decimal comma, row by row.
 */

export const entryModes = ['axles', 'groups', 'gross'] as const
export type EntryMode = (typeof entryModes)[number]

/** `axles`: number of axles in the row. `isLifted`: the axle was not on the road, so it is not weighed. */
type EntryRow = { axles: number; text: string; isLifted: boolean }

/** What was typed, in each mode; `current` is the row that the keypad fills. */
export type WeightEntry = {
  mode: EntryMode
  rows: Record<EntryMode, EntryRow[]>
  current: number
  /** cm between neighbouring rows of axles; absent: as measured. */
  gaps?: readonly number[]
  /** Category [8+1] as the officer corrected it; absent: as stored. */
  ctg8p1?: number
}

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

/** Spacings of a measurement, cm; null if unknown. */
const measuredGapsOf = (measured: Pick<MeasuredLoads, 'axles'> | null): number[] | null =>
  measured?.axles?.slice(1).map(({ gap }) => gap) ?? null

/** cm between neighbouring rows of axles: as typed, else as measured with as many axles; null if unknown. */
export function gapsOfRows({ rows, gaps }: WeightEntry, measured: Pick<MeasuredLoads, 'axles'> | null) {
  const isOfRows = (it: readonly number[] | null | undefined) => it?.length === rows.axles.length - 1
  const measuredGaps = measuredGapsOf(measured)
  return (isOfRows(gaps) ? gaps : isOfRows(measuredGaps) ? measuredGaps : null) ?? null
}

/** The entry with other spacings, which also determine the groups of axles; without any, as measured. */
export function setGaps(entry: WeightEntry, gaps: readonly number[] | null, measured: MeasuredLoads | null) {
  const { gaps: _, ...others } = entry
  const changed: WeightEntry = gaps && String(gaps) !== String(measuredGapsOf(measured)) ? { ...others, gaps } : others
  const known = changed.gaps
    ? axleGroups([0, ...changed.gaps])
    : (measured?.axlesComplex?.axlesGroups ?? []).map(({ axles }) => axles)
  const counts = known.map((group) => group.length)
  const before = entry.rows.groups.map(({ axles }) => axles)
  if (String(counts) === String(before)) return changed
  const groups = counts.map(emptyRow)
  const { mode } = entry
  return {
    ...changed,
    rows: { ...entry.rows, groups },
    ...(mode === 'groups' && { current: 0, mode: groups.length > 0 ? mode : ('axles' as const) }),
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

/** Whether the row has a number within its bounds. */
export const isWithin = (entry: WeightEntry, row: EntryRow): boolean => {
  const load = parseTonnes(row.text)
  const { min, max } = boundsOf(entry, row)
  return load !== null && load >= min && load <= max
}

const isDone = (entry: WeightEntry, row: EntryRow): boolean => row.isLifted || isWithin(entry, row)

/** Whether the row has a number that is out of its bounds. */
export const isOutOfBounds = (entry: WeightEntry, row: EntryRow): boolean =>
  parseTonnes(row.text) !== null && !isWithin(entry, row)

/** Upper bound, kg, that the current row or the sum of all rows exceeds; null: none, as far as weights are typed. */
export function exceededBoundOf(entry: WeightEntry): { max: number; isSum?: boolean } | null {
  const row = rowsOf(entry)[entry.current]
  const { max } = row ? boundsOf(entry, row) : grossLoad
  if (row && (parseTonnes(row.text) ?? 0) > max) return { max }
  const isFilled = rowsOf(entry).every((it) => isDone(entry, it))
  const error = isFilled ? weightsError(enteredWeights(entry)) : null
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
  rowsOf(entry).every((row) => isDone(entry, row)) && weightsError(enteredWeights(entry)) === null

/** Number of rows that are filled, of those that are weighed. */
export function progressOf(entry: WeightEntry): { done: number; of: number } {
  const rows = rowsOf(entry).filter(({ isLifted }) => !isLifted)
  return { done: rows.filter((row) => isWithin(entry, row)).length, of: rows.length }
}

/** The weights as entered, kg; missing ones are 0. Spacings, between all axles, only if they were typed. */
export function enteredWeights(entry: WeightEntry): EnteredWeights {
  const loadOf = ({ text }: EntryRow) => parseTonnes(text) ?? 0
  const none = { axles: null, gaps: null, groups: null, gross: null }
  const { axles, groups, gross } = entry.rows
  const gapsOf = (count: number) => (entry.gaps?.length === count - 1 ? entry.gaps : null)
  if (entry.mode === 'gross') return { ...none, gross: loadOf(gross[0] as EntryRow) }
  if (entry.mode === 'groups') {
    const count = groups.reduce((sum, row) => sum + row.axles, 0)
    return { ...none, gaps: gapsOf(count), groups: groups.map((row) => ({ axles: row.axles, load: loadOf(row) })) }
  }
  const weighed = axles.filter(({ isLifted }) => !isLifted)
  const lifted = axles.flatMap(({ isLifted }, at) => (isLifted ? [at + 1] : []))
  return {
    ...none,
    axles: weighed.map(loadOf),
    ...(lifted.length > 0 && { lifted }),
    gaps: gapsOf(axles.length),
  }
}

type StoredLoads = {
  axles: { load: number }[] | null
  lifted?: number[] | undefined
  gaps?: number[] | null
  groups: { axles: number[]; load: number }[]
  gross: { load: number }
}

/**
 * A stored weighing as an entry, to correct it: with its lifted axles, and with its spacings, where they are not those of
 * the measurement.
 */
export function entryOf(
  { axles, lifted, gaps, groups, gross }: StoredLoads,
  measured: Pick<MeasuredLoads, 'axles' | 'axlesComplex'> | null,
): WeightEntry {
  const entry = startEntry(measured)
  const filled = (axles: number, { load }: { load: number }): EntryRow => ({
    ...emptyRow(axles),
    text: tonnesText(load),
  })
  const typedGaps = gaps && String(gaps) !== String(measuredGapsOf(measured)) ? { gaps } : {}
  const rows = { ...entry.rows, gross: [filled(0, gross)] }
  if (axles) {
    // Stored groups are of axles on the ground; rows of groups are of all axles.
    const known = lifted
      ? gaps && axleGroups([0, ...gaps]).map((group) => emptyRow(group.length))
      : groups.length > 0 && groups.map((group) => emptyRow(group.axles.length))
    const axleRows = numberedAxles({ axles, lifted }).map(({ weighed }) =>
      weighed ? filled(1, weighed) : { ...emptyRow(1), isLifted: true },
    )
    return { ...entry, ...typedGaps, rows: { ...rows, axles: axleRows, groups: known || rows.groups } }
  }
  if (groups.length === 0) return { ...entry, mode: 'gross', rows }
  const count = groups.flatMap((group) => group.axles).length
  return {
    ...entry,
    ...typedGaps,
    mode: 'groups',
    rows: {
      ...rows,
      axles: Array.from({ length: count }, () => emptyRow(1)),
      groups: groups.map((group) => filled(group.axles.length, group)),
    },
  }
}
