import { expect, test } from 'vitest'
import { parseDateInput } from './dateInput.ts'

test.each([
  ['20.10.2025 08:15', '2025-10-20T06:15:00.000Z'],
  ['20.10.2025 8:15', '2025-10-20T06:15:00.000Z'],
  ['  20.10.2025   8.15 ', '2025-10-20T06:15:00.000Z'],
  ['20.10.2025, 08:15:30', '2025-10-20T06:15:30.000Z'],
  ['20.10.2025 0815', '2025-10-20T06:15:00.000Z'],
  ['20.10.2025 8', '2025-10-20T06:00:00.000Z'],
  ['20. 10. 2025', '2025-10-19T22:00:00.000Z'],
  ['20.10.2025', '2025-10-19T22:00:00.000Z'],
  ['20/10/25 08:15', '2025-10-20T06:15:00.000Z'],
  ['1-2-2025', '2025-01-31T23:00:00.000Z'],
  ['2025-10-20', '2025-10-19T22:00:00.000Z'],
  ['2025-10-20T08:15', '2025-10-20T06:15:00.000Z'],
  ['2025-10-20 08:15:00', '2025-10-20T06:15:00.000Z'],
  ['2025-10-20T08:15:00Z', '2025-10-20T08:15:00.000Z'],
  ['2025-10-20T08:15:00.000+02:00', '2025-10-20T06:15:00.000Z'],
  ['20.10.2025 24:00', '2025-10-20T22:00:00.000Z'],
])('reads %j by the clock of Warsaw', (text, instant) => {
  expect(parseDateInput(text)).toBe(instant)
})

test.each([
  '',
  'jutro',
  '31.02.2025',
  '29.02.2025 08:15',
  '10/20/2025',
  '20.10',
  '20.10.2025 24:01',
  '20.10.2025 08:60',
  '20.10.2025 08:1',
  '20.10.0025',
  '20.10.20255',
  '20.10.2025 08:15 rano',
  '2025-10-20T25:15:00Z',
  '2025-02-31T08:15:00Z',
])('does not read %j', (text) => {
  expect(parseDateInput(text)).toBeNull()
})

test('a date alone can mean the end of its day', () => {
  expect(parseDateInput('31.12.2026', 'end')).toBe('2026-12-31T22:59:59.000Z')
  expect(parseDateInput('31.12.2026 00:00', 'end')).toBe('2026-12-30T23:00:00.000Z')
})

test('a zone distinguishes the two equal hours of the autumn night', () => {
  expect(parseDateInput('2025-10-26T02:30:00+02:00')).toBe('2025-10-26T00:30:00.000Z')
  expect(parseDateInput('2025-10-26T02:30:00+01:00')).toBe('2025-10-26T01:30:00.000Z')
})

test('a skipped spring hour is moved forward, an ambiguous autumn hour is the first one', () => {
  // 30 March 2025: 02:00 CET becomes 03:00 CEST. 26 October 2025: 03:00 CEST becomes 02:00 CET.
  expect(parseDateInput('30.03.2025 02:30')).toBe('2025-03-30T01:30:00.000Z')
  expect(parseDateInput('26.10.2025 02:30')).toBe('2025-10-26T00:30:00.000Z')
})
