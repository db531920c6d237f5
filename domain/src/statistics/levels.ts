import { dayOf, fromWarsaw, monthOf, startOfMonth, toWarsaw } from '../core/warsaw.ts'

/** Levels of aggregation, from single vehicles to the coarsest roll-up; days and months in Polish time. */
const levels = ['vehicle', 'hour', 'day', 'month'] as const
export type Level = (typeof levels)[number]

/** Part of a range, [from, to), computed from one level. */
type LevelInterval = { level: Level; from: Date; to: Date }

const HOUR = 3_600_000

/** Level boundaries around an instant: the last one at or before it, the first one after it. */
const boundariesAround: Record<Level, (at: number) => [number, number]> = {
  vehicle: (at) => [at, at],
  hour: (at) => [Math.floor(at / HOUR) * HOUR, Math.floor(at / HOUR) * HOUR + HOUR],
  day: (at) => {
    const midnight = dayOf(toWarsaw(at))
    return [fromWarsaw(midnight), fromWarsaw(midnight + 24 * HOUR)]
  },
  month: (at) => {
    const { year, month } = monthOf(toWarsaw(at))
    return [fromWarsaw(startOfMonth(year, month)), fromWarsaw(startOfMonth(year, month + 1))]
  },
}

const isBoundary = (level: Level, at: number) => boundariesAround[level](at)[0] === at

/**
 * Splits the range of the periods into intervals with the coarsest usable level; remainders at both ends use finer
 * levels.
 */
export function levelIntervals(starts: readonly Date[], end: Date): LevelInterval[] {
  const [first, ...inner] = starts
  if (!first) return []
  const coarsest = levels.findLast((level) => inner.every((start) => isBoundary(level, start.getTime()))) ?? 'vehicle'
  return splitByLevel(coarsest, first.getTime(), end.getTime())
}

function splitByLevel(level: Level, from: number, to: number): LevelInterval[] {
  if (from >= to) return []
  if (level === 'vehicle') return [{ level, from: new Date(from), to: new Date(to) }]
  const finer = levels[levels.indexOf(level) - 1] ?? 'vehicle'
  const begin = isBoundary(level, from) ? from : boundariesAround[level](from)[1]
  const [end] = boundariesAround[level](to)
  if (begin >= end) return splitByLevel(finer, from, to)
  return [
    ...splitByLevel(finer, from, begin),
    { level, from: new Date(begin), to: new Date(end) },
    ...splitByLevel(finer, end, to),
  ]
}
