import type { ResolutionUnit } from '@rogatka/contract/options.ts'
import { isAmbiguousTime, type WarsawTime, warsawTime, zoneName } from '../warsaw.ts'
import { textWidth } from './textWidth.ts'

/** Font size of axis labels, px. */
export const TICK_FONT_SIZE = 12

type Tick = { text: string; strong: boolean }

const twoDigits = (number: number) => String(number).padStart(2, '0')

/**
 * Axis label of a period; bold for a new day among hours, a new month among days, a new year among months. Ambiguous
 * hours show their zone.
 */
export function tickOf(start: Date, unit: ResolutionUnit): Tick {
  const { year, month, day, hour, minute } = warsawTime(start.getTime())
  const date = `${twoDigits(day)}.${twoDigits(month)}`
  switch (unit) {
    case 'minute':
    case 'hour':
      if (hour === 0 && minute === 0) return { text: date, strong: true }
      return { text: `${clockText(hour, minute, unit)}${zoneText(start.getTime())}`, strong: false }
    case 'day':
      return { text: date, strong: day === 1 }
    case 'month':
      return { text: `${twoDigits(month)}.${year}`, strong: month === 1 }
    case 'year':
      return { text: String(year), strong: false }
  }
}

const clockText = (hour: number, minute: number, unit: ResolutionUnit) =>
  unit === 'hour' && minute === 0 ? twoDigits(hour) : `${twoDigits(hour)}:${twoDigits(minute)}`

const zoneText = (at: number) => (isAmbiguousTime(at) ? ` ${zoneName(at)}` : '')

type TickFilter = (time: WarsawTime) => boolean

const everyMinutes =
  (step: number): TickFilter =>
  ({ hour, minute }) =>
    (60 * hour + minute) % step === 0
/** The first of a month is always labelled, and no label touches the next one. */
const everyDays =
  (step: number): TickFilter =>
  ({ day, hour, minute }) =>
    hour === 0 && minute === 0 && (day - 1) % step === 0 && day + step <= 32
const everyMonths =
  (step: number): TickFilter =>
  (time) =>
    time.day === 1 && time.hour === 0 && time.minute === 0 && (time.month - 1) % step === 0
const everyYears =
  (step: number): TickFilter =>
  (time) =>
    everyMonths(12)(time) && time.year % step === 0

/** Round calendar and clock times, from fine to coarse. */
const TICK_FILTERS: TickFilter[] = [
  ...[1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 720].map(everyMinutes),
  ...[1, 2, 5, 10, 15].map(everyDays),
  ...[1, 2, 3, 6].map(everyMonths),
  ...[1, 2, 5, 10, 50, 100].map(everyYears),
]

/** Minimum distance of labels, px. */
const MIN_LABEL_GAP_PX = 8

/** Periods with a label on an axis of this width: those at the roundest times whose labels do not overlap. */
export function labelledPeriods(starts: readonly Date[], unit: ResolutionUnit, width: number): Set<number> {
  const periodWidth = width / Math.max(1, starts.length)
  const widths = starts.map((start) => textWidth(tickOf(start, unit).text, TICK_FONT_SIZE))
  const fits = (indices: readonly number[]) =>
    indices.every((index, i) => {
      const next = indices[i + 1]
      if (next === undefined) return true
      return (next - index) * periodWidth >= ((widths[index] ?? 0) + (widths[next] ?? 0)) / 2 + MIN_LABEL_GAP_PX
    })
  // If the two labels of an ambiguous hour do not fit, the first one shows its zone.
  const isRepeated = (index: number) => {
    const at = starts[index]?.getTime() ?? 0
    return isAmbiguousTime(at) && zoneName(at) === 'CET'
  }
  const fitting = (indices: readonly number[]) => [indices, indices.filter((index) => !isRepeated(index))].find(fits)
  const all = [...starts.keys()]
  if (fits(all)) return new Set(all)

  const times = starts.map((start) => warsawTime(start.getTime()))
  for (const filter of TICK_FILTERS) {
    const found = times.flatMap((time, index) => (filter(time) ? [index] : []))
    // At least two labels show a scale; steps that never meet a round time are labelled by counting.
    if (found.length < 2) break
    const labelled = fitting(found)
    if (labelled) return new Set(labelled)
  }
  const step = Math.ceil((Math.max(...widths) + MIN_LABEL_GAP_PX) / periodWidth)
  return new Set(all.filter((index) => index % step === 0))
}
