import { dayOf, fromWarsaw, monthOf, startOfMonth, toWarsaw } from '../core/warsaw.ts'

/** From the vehicles themselves to the coarsest roll-up of them; days and months are Warsaw's. */
const levels = ['vehicle', 'hour', 'day', 'month'] as const
export type Level = (typeof levels)[number]

/** A part of a range, [from, to), that a level answers alone. */
type LevelInterval = { level: Level; from: Date; to: Date }

const HOUR = 3_600_000

/** The last boundary of a level at or before an instant, and the first one after that. */
const around: Record<Level, (at: number) => [number, number]> = {
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

const isBoundary = (level: Level, at: number) => around[level](at)[0] === at

/**
 * The range of these periods cut into parts, each at the coarsest level that tells its periods apart: what a level
 * cannot answer at either end of its part falls to the finer ones.
 */
export function levelIntervals(starts: readonly Date[], end: Date): LevelInterval[] {
  const [first, ...inner] = starts
  if (!first) return []
  const coarsest = levels.findLast((level) => inner.every((start) => isBoundary(level, start.getTime()))) ?? 'vehicle'
  return cut(coarsest, first.getTime(), end.getTime())
}

function cut(level: Level, from: number, to: number): LevelInterval[] {
  if (from >= to) return []
  if (level === 'vehicle') return [{ level, from: new Date(from), to: new Date(to) }]
  const finer = levels[levels.indexOf(level) - 1] ?? 'vehicle'
  const begin = isBoundary(level, from) ? from : around[level](from)[1]
  const [end] = around[level](to)
  if (begin >= end) return cut(finer, from, to)
  return [...cut(finer, from, begin), { level, from: new Date(begin), to: new Date(end) }, ...cut(finer, end, to)]
}
