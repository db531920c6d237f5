import { expect, test } from 'vitest'
import { choicesOf, monthIn } from './months.ts'

const MONTHS = [
  { year: 2025, month: 11, tickets: 1 },
  { year: 2026, month: 2, tickets: 2 },
  { year: 2026, month: 5, tickets: 1 },
]

test('a year offers its months from the first with a report to the last', () => {
  expect(choicesOf(MONTHS, 2026)).toEqual({ years: [2025, 2026], months: [2, 3, 4, 5] })
  expect(choicesOf(MONTHS, 2025)).toEqual({ years: [2025, 2026], months: [11] })
  expect(choicesOf([], 2026)).toEqual({ years: [], months: [] })
})

test('another year keeps the month if it has it, else takes the nearest', () => {
  expect(monthIn(MONTHS, 2026, 3)).toBe(3)
  expect(monthIn(MONTHS, 2026, 11)).toBe(5)
  expect(monthIn(MONTHS, 2025, 5)).toBe(11)
})
