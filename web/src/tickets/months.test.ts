import { expect, test } from 'vitest'
import { monthChoices, monthIn } from './months.ts'

const MONTHS = [
  { year: 2025, month: 11, tickets: 1 },
  { year: 2026, month: 2, tickets: 2 },
  { year: 2026, month: 5, tickets: 1 },
]

test('a year offers its months from the first with a report to the last', () => {
  expect(monthChoices(MONTHS, 2026)).toEqual({ years: [2025, 2026], months: [2, 3, 4, 5] })
  expect(monthChoices(MONTHS, 2025)).toEqual({ years: [2025, 2026], months: [11] })
  expect(monthChoices([], 2026)).toEqual({ years: [], months: [] })
})

test('another year keeps the month if it has reports, else takes the nearest that has any', () => {
  expect(monthIn(MONTHS, 2026, 5)).toBe(5)
  // March and April have no reports.
  expect(monthIn(MONTHS, 2026, 3)).toBe(2)
  expect(monthIn(MONTHS, 2026, 4)).toBe(5)
  expect(monthIn(MONTHS, 2026, 11)).toBe(5)
  expect(monthIn(MONTHS, 2025, 5)).toBe(11)
  expect(
    monthIn(
      [
        { year: 2025, month: 10, tickets: 1 },
        { year: 2025, month: 12, tickets: 1 },
      ],
      2025,
      11,
    ),
  ).toBe(10)
  expect(monthIn([], 2025, 5)).toBe(5)
})
