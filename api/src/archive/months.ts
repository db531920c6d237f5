import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { StationDay } from './derived/queries.ts'
import type { IntervalMs } from './intervals.ts'

/** A month (UTC) at a station, or a part of it: [from, to). */
export type StationMonth = { locationId: number; from: Date; to: Date }

/** The month (UTC) of an instant in ms. */
export function monthAt(ms: number): IntervalMs {
  const date = new Date(ms)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { from: Date.UTC(year, month), to: Date.UTC(year, month + 1) }
}

/** 2026-10, of UTC. */
export const monthName = (at: Date): string => at.toISOString().slice(0, '2026-10'.length)

/** The whole days (UTC) that cover an interval. */
export const wholeDays = ({ from, to }: IntervalMs): IntervalMs => ({
  from: Math.floor(from / DAY_MS) * DAY_MS,
  to: Math.ceil(to / DAY_MS) * DAY_MS,
})

/** The months (UTC) of days at stations, each once, by station, then month, limited to a range. */
export function monthsOf(days: readonly StationDay[], range: IntervalMs): StationMonth[] {
  const months = new Map<string, StationMonth>()
  for (const { locationId, day } of days) {
    const { from, to } = monthAt(day)
    months.set(`${locationId} ${from}`, {
      locationId,
      from: new Date(Math.max(from, range.from)),
      to: new Date(Math.min(to, range.to)),
    })
  }
  return [...months.values()].sort((a, b) => a.locationId - b.locationId || a.from.getTime() - b.from.getTime())
}
