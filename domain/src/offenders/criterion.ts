import { dateOf } from '../core/warsaw.ts'

/** Number of days with an overload, within 12 months. */
export const REPEAT_DAYS = 3

/** The same day of the next year, `2026-10-20`; after 29 February a day that sorts before 1 March. */
const yearAfter = (day: string): string => `${Number(day.slice(0, 4)) + 1}${day.slice(4)}`

/**
 * Polish day on which a vehicle became a repeat offender: the third of three days with an overload within 12 months; the
 * first such day, null if there is none.
 */
export function offenderSince(overloads: Iterable<Date>): string | null {
  const days = [...new Set(Array.from(overloads, dateOf))].sort()
  const third = days.find((day, index) => {
    const first = days[index + 1 - REPEAT_DAYS]
    return first !== undefined && day < yearAfter(first)
  })
  return third ?? null
}
