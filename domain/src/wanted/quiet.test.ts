import { expect, test } from 'vitest'
import { clockOf, parseClock, quietUntil } from './quiet.ts'

const NIGHT = { from: '22:00', to: '06:30' }
const until = (now: string, quiet = NIGHT) => quietUntil(new Date(now), quiet)?.toISOString() ?? null

test.each([
  ['before they begin', '2026-10-20T19:59:59.999Z', null],
  ['from their beginning on', '2026-10-20T20:00:00.000Z', '2026-10-21T04:30:00.000Z'],
  ['over midnight', '2026-10-20T23:30:00.000Z', '2026-10-21T04:30:00.000Z'],
  ['until their end', '2026-10-21T04:29:59.999Z', '2026-10-21T04:30:00.000Z'],
  ['and not at it', '2026-10-21T04:30:00.000Z', null],
])('quiet hours over midnight hold %s', (_, now, expected) => expect(until(now)).toBe(expected))

test('quiet hours follow the wall clock when it is set back', () => {
  // 25 October 2026: three o'clock becomes two, so the night has an hour more.
  expect(until('2026-10-24T20:00:00Z')).toBe('2026-10-25T05:30:00.000Z')
})

test('quiet hours within a day end on that day', () => {
  const noon = { from: '12:00', to: '13:00' }
  expect(until('2026-10-20T09:59:59Z', noon)).toBeNull()
  expect(until('2026-10-20T10:00:00Z', noon)).toBe('2026-10-20T11:00:00.000Z')
  expect(until('2026-10-20T10:30:00Z', noon)).toBe('2026-10-20T11:00:00.000Z')
  expect(until('2026-10-20T11:00:00Z', noon)).toBeNull()
})

test('holds nothing without quiet hours, or with equal start and end', () => {
  expect(quietUntil(new Date('2026-10-20T23:00:00Z'), null)).toBeNull()
  expect(until('2026-10-20T20:00:00Z', { from: '22:00', to: '22:00' })).toBeNull()
})

test('parses and formats a clock time as minutes', () => {
  expect(parseClock('21:30')).toBe(1290)
  expect(clockOf(65)).toBe('01:05')
})
