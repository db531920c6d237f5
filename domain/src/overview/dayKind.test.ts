import { expect, test } from 'vitest'
import { DAY_MS } from '../core/time.ts'
import { dayKind, isHoliday } from './dayKind.ts'

const holidaysOf = (year: number): string[] => {
  const days: string[] = []
  for (let day = Date.UTC(year, 0, 1); day < Date.UTC(year + 1, 0, 1); day += DAY_MS)
    if (isHoliday(day)) days.push(new Date(day).toISOString().slice(5, 10))
  return days
}

// As published in calendars of these years.
test.each([
  [2010, '01-01 04-04 04-05 05-01 05-03 05-23 06-03 08-15 11-01 11-11 12-25 12-26'],
  [2024, '01-01 01-06 03-31 04-01 05-01 05-03 05-19 05-30 08-15 11-01 11-11 12-25 12-26'],
  [2025, '01-01 01-06 04-20 04-21 05-01 05-03 06-08 06-19 08-15 11-01 11-11 12-24 12-25 12-26'],
  [2026, '01-01 01-06 04-05 04-06 05-01 05-03 05-24 06-04 08-15 11-01 11-11 12-24 12-25 12-26'],
  [2027, '01-01 01-06 03-28 03-29 05-01 05-03 05-16 05-27 08-15 11-01 11-11 12-24 12-25 12-26'],
  // The latest possible Easter.
  [2038, '01-01 01-06 04-25 04-26 05-01 05-03 06-13 06-24 08-15 11-01 11-11 12-24 12-25 12-26'],
])('knows the Polish public holidays of %s', (year, days) => {
  expect(holidaysOf(year)).toEqual(days.split(' '))
})

test.each([
  ['2026-10-19', 'workday'],
  ['2026-10-22', 'workday'],
  ['2026-10-23', 'friday'],
  ['2026-10-24', 'saturday'],
  ['2026-10-25', 'sunday'],
  ['2026-11-11', 'holiday'],
  // A Sunday, and a Friday.
  ['2026-04-05', 'holiday'],
  ['2026-05-01', 'holiday'],
  ['2024-12-24', 'workday'],
  ['2026-12-24', 'holiday'],
])('%s is a %s', (day, kind) => {
  expect(dayKind(Date.parse(day))).toBe(kind)
})
