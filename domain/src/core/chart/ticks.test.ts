import { expect, test } from 'vitest'
import { periodsOf, type Resolution } from '../../statistics/periods.ts'
import { textWidth } from './textWidth.ts'
import { labelledPeriods, TICK_FONT_SIZE, tickOf } from './ticks.ts'

const WIDTH = 900
const named = (from: string, to: string, unit: Resolution['unit'], value = 1, width = WIDTH) => {
  const starts = periodsOf(new Date(from), new Date(to), { unit, value })
  const ticked = [...labelledPeriods(starts, unit, width)]
  return ticked.map((index) => ({ index, at: (index / starts.length) * width, ...tickOf(starts[index] as Date, unit) }))
}
const texts = (...range: Parameters<typeof named>) =>
  named(...range).map(({ text, strong }) => (strong ? `*${text}` : text))

test('labels every hour of a day, and midnight by its date', () => {
  expect(texts('2026-10-19T06:00Z', '2026-10-20T06:00Z', 'hour').slice(14, 18)).toEqual(['22', '23', '*20.10', '01'])
})

test('only the ambiguous autumn hours carry a zone', () => {
  const day = ['2026-10-24T22:00Z', '2026-10-25T23:00Z', 'hour', 1] as const
  expect(texts(...day, 1_600).slice(0, 6)).toEqual(['*25.10', '01', '02 CEST', '02 CET', '03', '04'])
  // If both labels do not fit, the first one is shown.
  expect(texts(...day).slice(0, 4)).toEqual(['*25.10', '02 CEST', '04', '06'])
  const twice = texts('2026-10-25T00:00Z', '2026-10-25T02:00Z', 'minute', 30)
  expect(twice).toEqual(['02:00 CEST', '02:30 CEST', '02:00 CET', '02:30 CET'])
})

test('labels minutes at round times, not at the start of the range', () => {
  expect(texts('2026-10-20T06:17Z', '2026-10-20T10:17Z', 'minute').slice(0, 3)).toEqual(['08:30', '08:45', '09:00'])
})

test('labels months at even days and at the first', () => {
  expect(texts('2026-09-30T22:00Z', '2026-12-31T23:00Z', 'day')).toContain('*01.11')
  expect(texts('2023-12-31T23:00Z', '2026-12-31T23:00Z', 'month').slice(0, 3)).toEqual([
    '*01.2024',
    '04.2024',
    '07.2024',
  ])
})

const TWO_HOURS = ['2026-10-20T06:00Z', '2026-10-20T08:00Z', 'minute'] as const
const DAY = ['2026-10-19T22:00Z', '2026-10-20T22:00Z', 'hour'] as const
const TWO_MONTHS = ['2026-09-30T22:00Z', '2026-11-30T23:00Z', 'day'] as const
const THREE_YEARS = ['2023-12-31T23:00Z', '2026-12-31T23:00Z', 'month'] as const
const TWO_CENTURIES = ['1824-12-31T23:00Z', '2026-12-31T23:00Z', 'year'] as const

const MIDNIGHT = ['2026-10-19T21:58Z', '2026-10-19T22:03Z', 'minute'] as const
const FROM_TEN_PAST = ['2026-10-19T22:10Z', '2026-10-20T22:00Z', 'hour'] as const
const WEEK = ['2026-10-12T06:17Z', '2026-10-19T04:40Z', 'minute'] as const
const HOURS_OF_A_YEAR = ['2026-01-01T06:00Z', '2026-12-20T06:00Z', 'hour'] as const

test.each([
  [6_000, TWO_HOURS, '08:00 08:01 08:02'],
  [3_000, TWO_HOURS, '08:00 08:02 08:04'],
  [1_600, TWO_HOURS, '08:00 08:05 08:10'],
  [600, TWO_HOURS, '08:00 08:10 08:20'],
  [450, TWO_HOURS, '08:00 08:15 08:30'],
  [300, TWO_HOURS, '08:00 08:20 08:40'],
  [220, TWO_HOURS, '08:00 08:30 09:00'],
  [120, TWO_HOURS, '08:00 09:00'],
  [80, TWO_HOURS, '08:00 09:02'],
  [40, TWO_HOURS, '08:00'],
  [900, DAY, '*20.10 01 02'],
  [450, DAY, '*20.10 02 04'],
  [300, DAY, '*20.10 03 06'],
  [220, DAY, '*20.10 04 08'],
  [160, DAY, '*20.10 06 12'],
  [120, DAY, '*20.10 12'],
  [60, DAY, '*20.10 17'],
  [3_000, TWO_MONTHS, '*01.10 02.10 03.10'],
  [
    1_600,
    TWO_MONTHS,
    '*01.10 03.10 05.10 07.10 09.10 11.10 13.10 15.10 17.10 19.10 21.10 23.10 25.10 27.10 29.10 *01.11',
  ],
  [600, TWO_MONTHS, '*01.10 06.10 11.10 16.10 21.10 26.10 *01.11'],
  [300, TWO_MONTHS, '*01.10 11.10 21.10 *01.11 11.11 21.11'],
  [220, TWO_MONTHS, '*01.10 16.10 *01.11 16.11'],
  [160, TWO_MONTHS, '*01.10 *01.11'],
  [3_000, THREE_YEARS, '*01.2024 02.2024 03.2024'],
  [1_200, THREE_YEARS, '*01.2024 03.2024 05.2024'],
  [900, THREE_YEARS, '*01.2024 04.2024 07.2024'],
  [450, THREE_YEARS, '*01.2024 07.2024 *01.2025'],
  [220, THREE_YEARS, '*01.2024 *01.2025 *01.2026'],
  [120, THREE_YEARS, '*01.2024 *01.2026'],
  [6_000, TWO_CENTURIES, '1826 1828 1830'],
  [3_000, TWO_CENTURIES, '1830 1835 1840'],
  [900, TWO_CENTURIES, '1830 1840 1850'],
  [450, TWO_CENTURIES, '1850 1900 1950 2000'],
  [80, TWO_CENTURIES, '1900 2000'],
  [1_600, MIDNIGHT, '23:58 23:59 *20.10 00:01 00:02'],
  [1_600, FROM_TEN_PAST, '00:10 01 02'],
  [900, WEEK, '12:00 *13.10 12:00 *14.10'],
  [300, WEEK, '*13.10 *14.10 *15.10'],
  [160, WEEK, '*13.10 *15.10 *17.10 *19.10'],
  [3_000, HOURS_OF_A_YEAR, '*11.01 *21.01 *01.02 *11.02'],
  [900, HOURS_OF_A_YEAR, '*01.02 *01.03 *01.04'],
  [300, HOURS_OF_A_YEAR, '*01.03 *01.05 *01.07'],
  [160, HOURS_OF_A_YEAR, '*01.04 *01.07 *01.10'],
  [120, HOURS_OF_A_YEAR, '07 22 11'],
])('on %i pixels, labels the period from %o as %s', (width, [from, to, unit], first) => {
  const count = first.split(' ').length
  expect(texts(from, to, unit, 1, width).slice(0, count).join(' ')).toBe(first)
})

test('labels steps without round times by count', () => {
  expect(texts('2026-10-19T22:00Z', '2026-10-20T22:00Z', 'minute', 7).length).toBeGreaterThan(5)
})

test.each([
  ['2026-10-19T06:00Z', '2026-10-20T06:00Z', 'hour'],
  ['2026-10-12T06:00Z', '2026-10-19T04:40Z', 'minute'],
  ['2026-01-01T06:00Z', '2026-12-20T06:00Z', 'day'],
  ['2026-01-01T06:00Z', '2026-12-20T06:00Z', 'hour'],
  ['1996-01-01T06:00Z', '2026-12-20T06:00Z', 'month'],
  ['1900-01-01T06:00Z', '2026-12-20T06:00Z', 'year'],
] as const)('several labels from %s to %s by %s do not overlap', (from, to, unit) => {
  const ticks = named(from, to, unit)
  expect(ticks.length).toBeGreaterThan(5)
  for (const [i, { at, text }] of ticks.slice(1).entries()) {
    const before = ticks[i]
    expect(at - (before?.at ?? 0)).toBeGreaterThan(
      (textWidth(text, TICK_FONT_SIZE) + textWidth(before?.text ?? '', TICK_FONT_SIZE)) / 2,
    )
  }
})
