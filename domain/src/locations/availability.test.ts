import { expect, test } from 'vitest'
import { isAvailable, laneOptions, silentSince } from './availability.ts'

const now = new Date('2026-10-20T06:30:00.000Z')

test.each([
  ['2026-10-20T06:29:00.000Z', true],
  ['2026-10-20T06:00:00.000Z', true],
  ['2026-10-20T05:59:59.999Z', false],
  // the station's clock is ahead
  ['2026-10-20T06:31:00.000Z', true],
  [null, false],
])('a last vehicle at %s makes the station available: %s', (lastVehicleTime, expected) => {
  expect(isAvailable(lastVehicleTime, 30, now)).toBe(expected)
  expect(isAvailable(lastVehicleTime && new Date(lastVehicleTime), 30, now)).toBe(expected)
})

test.each([
  ['2026-10-20T06:00:00.000Z', 30, false],
  ['2026-10-20T05:59:59.999Z', 30, true],
  ['2026-10-20T05:59:59.999Z', 31, false],
  ['2026-10-20T06:28:59.000Z', 1, true],
  ['2026-10-20T06:31:00.000Z', 1, false],
])('a last vehicle at %s and a limit of %s min: silent %s', (lastVehicleTime, limit, isSilent) => {
  const last = new Date(lastVehicleTime)
  expect(silentSince(last, limit, now)).toBe(isSilent ? last : null)
})

test('a station without vehicles is not silent since any time', () => {
  expect(silentSince(null, 30, now)).toBeNull()
})

test('lane options go up to the largest lane count', () => {
  expect(laneOptions([{ lanes: [1, 2] }, { lanes: [1, 2, 3, 4] }, { lanes: [] }])).toEqual([1, 2, 3, 4])
  expect(laneOptions([])).toEqual([])
})
