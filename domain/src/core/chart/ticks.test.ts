import { expect, test } from 'vitest'
import { periodsOf, type Resolution } from '../../statistics/periods.ts'
import { textWidth } from './textWidth.ts'
import { TICK_SIZE, tickedPeriods, tickOf } from './ticks.ts'

const WIDTH = 900
const named = (from: string, to: string, unit: Resolution['unit'], value = 1, width = WIDTH) => {
  const starts = periodsOf(new Date(from), new Date(to), { unit, value })
  const ticked = [...tickedPeriods(starts, unit, width)]
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
  // Where there is no room for both the first one is named.
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
      (textWidth(text, TICK_SIZE) + textWidth(before?.text ?? '', TICK_SIZE)) / 2,
    )
  }
})
