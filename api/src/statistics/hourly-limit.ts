import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { Refusal } from '../core/refusal.ts'

/**
 * Days of stations that are read from the hourly roll-up at most: a year of 40 stations, which has tens of millions of rows. Ten
 * years of them would take longer than a statement may.
 */
const MAX_HOURLY_DAYS = 15_000

/** Refuses parts of the day over too many days of stations. `path`: the parameter of the start. */
export function assertFewHours(stations: number, from: Date, to: Date, path: string): void {
  const days = Math.ceil((to.getTime() - from.getTime()) / DAY_MS)
  if (stations * days > MAX_HOURLY_DAYS) throw new Refusal('too-many-hours-to-count', 422, path)
}
