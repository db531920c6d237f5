import { DAY_MS, HOUR_MS } from '../core/time.ts'
import { dayOf, fromWarsaw, monthOf, startOfMonth, toWarsaw } from '../core/warsaw.ts'

/** Roll-ups, from the finest; days and months in Polish time. */
const rollUps = ['hour', 'day', 'month'] as const
type RollUp = (typeof rollUps)[number]

/** Levels of aggregation: single vehicles, or a roll-up. */
export type Level = 'vehicle' | RollUp

/** Part of a range, [from, to), computed from one level. */
type LevelInterval = { level: Level; from: Date; to: Date }

/** Boundaries around an instant: the last one at or before it, the first one after it. */
const boundariesAround: Record<RollUp, (at: number) => [number, number]> = {
  hour: (at) => [Math.floor(at / HOUR_MS) * HOUR_MS, Math.floor(at / HOUR_MS) * HOUR_MS + HOUR_MS],
  day: (at) => {
    const midnight = dayOf(toWarsaw(at))
    return [fromWarsaw(midnight), fromWarsaw(midnight + DAY_MS)]
  },
  month: (at) => {
    const { year, month } = monthOf(toWarsaw(at))
    return [fromWarsaw(startOfMonth(year, month)), fromWarsaw(startOfMonth(year, month + 1))]
  },
}

const isBoundary = (level: RollUp, at: number) => boundariesAround[level](at)[0] === at

const levels: readonly Level[] = ['vehicle', ...rollUps]

/**
 * Splits the range of the periods into intervals with the coarsest usable level, at most `coarsestAllowed`; remainders at
 * both ends use finer levels.
 */
export function levelIntervals(starts: readonly Date[], end: Date, coarsestAllowed: Level = 'month'): LevelInterval[] {
  const [first, ...inner] = starts
  if (!first) return []
  const allowed = rollUps.filter((level) => levels.indexOf(level) <= levels.indexOf(coarsestAllowed))
  const coarsest = allowed.findLast((level) => inner.every((start) => isBoundary(level, start.getTime()))) ?? 'vehicle'
  return splitByLevel(coarsest, first.getTime(), end.getTime())
}

function splitByLevel(level: Level, from: number, to: number): LevelInterval[] {
  if (from >= to) return []
  if (level === 'vehicle') return [{ level, from: new Date(from), to: new Date(to) }]
  const finer = rollUps[rollUps.indexOf(level) - 1] ?? 'vehicle'
  const begin = isBoundary(level, from) ? from : boundariesAround[level](from)[1]
  const [end] = boundariesAround[level](to)
  if (begin >= end) return splitByLevel(finer, from, to)
  return [
    ...splitByLevel(finer, from, begin),
    { level, from: new Date(begin), to: new Date(end) },
    ...splitByLevel(finer, end, to),
  ]
}
