import { expect, test } from 'vitest'
import { isoText, timeTexts, warsawClock, warsawIso, warsawStamp, warsawTime } from './warsaw.ts'

test('formats Warsaw time in winter and summer', () => {
  expect(warsawTime(new Date('2026-01-05T23:30:09Z'))).toBe('06.01.2026 00:30:09')
  expect(warsawTime(new Date('2026-07-31T22:15:00Z'))).toBe('01.08.2026 00:15:00')
  expect(warsawStamp(new Date('2026-07-31T22:15:00Z'))).toBe('01_08_2026_00_15_00')
})

test('follows both clock changes to the second', () => {
  expect(warsawTime(new Date('2026-03-29T00:59:59Z'))).toBe('29.03.2026 01:59:59')
  expect(warsawTime(new Date('2026-03-29T01:00:00Z'))).toBe('29.03.2026 03:00:00')
  expect(warsawTime(new Date('2026-10-25T00:59:59Z'))).toBe('25.10.2026 02:59:59')
  expect(warsawTime(new Date('2026-10-25T01:00:00Z'))).toBe('25.10.2026 02:00:00')
})

test('keeps milliseconds', () => {
  expect(warsawClock(new Date('2026-10-20T08:00:00.123Z')).toISOString()).toBe('2026-10-20T10:00:00.123Z')
})

test('formats instants as Date does, also before 1970 and at clock changes', () => {
  expect(warsawIso(new Date('2026-10-25T00:30:00.999Z'))).toBe('2026-10-25 02:30:00')
  const instants = Array.from({ length: 500 }, (_, n) => Math.floor((n - 40) * 7_654_321_987.123))
  for (const ms of [...instants, -1, 0, 86_399_999, 86_400_000]) expect(isoText(ms)).toBe(new Date(ms).toISOString())
})

test('caches the hour of both texts of an instant', () => {
  const instants = Array.from({ length: 500 }, (_, n) => Math.floor((n - 40) * 7_654_321_987.123))
  const changes = [
    '2026-03-29T00:59:59.999Z',
    '2026-03-29T01:00:00Z',
    '2026-10-25T00:59:59Z',
    '2026-10-25T01:00:00.01Z',
  ]
  for (const ms of [...instants, -1, 0, ...changes.map((text) => Date.parse(text))])
    expect(timeTexts(ms)).toEqual({ warsaw: warsawIso(new Date(ms)), utc: isoText(ms) })
})
