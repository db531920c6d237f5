import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { instantAt, toWallClock } from './dateRange.ts'

/*
 * A range of whole days in Poland, in URLs as instants: [dateTimeStart, dateTimeEnd).
 */

type RangeParams = { dateTimeStart?: string | undefined; dateTimeEnd?: string | undefined }

/** First and last day in Poland; null: no bound. */
export type Days = { from: string | null; until: string | null }

const dayAt = (at: number) => toWallClock(new Date(at).toISOString()).slice(0, 10)

/** The days of the range, both included. */
export const daysOf = ({ dateTimeStart, dateTimeEnd }: RangeParams): Days => ({
  from: dateTimeStart === undefined ? null : dayAt(Date.parse(dateTimeStart)),
  until: dateTimeEnd === undefined ? null : dayAt(Date.parse(dateTimeEnd) - 1),
})

/** Start of a day in Poland, ISO 8601 in UTC. */
export const midnight = (day: string) => instantAt(`${day} 00:00:00`)
/** The day some days later. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

/** The range of days; if they are in the wrong order, it is the changed day alone. */
export function rangeOf({ from, until }: Days, changed: keyof Days) {
  const [first, last] =
    from && until && until < from ? (changed === 'from' ? [from, from] : [until, until]) : [from, until]
  return {
    dateTimeStart: first === null ? undefined : midnight(first),
    dateTimeEnd: last === null ? undefined : midnight(addDays(last, 1)),
  }
}
