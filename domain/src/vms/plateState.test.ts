import { expect, test } from 'vitest'
import { isManageable, type PlateView, plateState } from './plateState.ts'

const now = new Date('2026-10-20T08:00:00Z')
const ready: PlateView = {
  now,
  available: true,
  scenarioEnabled: true,
  readablePointAt: new Date(now.getTime() + 30_000),
  permitted: true,
  displayed: null,
}
const state = (changes: Partial<PlateView>) => plateState({ ...ready, ...changes })

test('plateState returns every state', () => {
  expect(state({})).toBe('ready')
  expect(state({ available: false })).toBe('sign-unavailable')
  expect(state({ scenarioEnabled: false })).toBe('scenario-not-enabled')
  expect(state({ readablePointAt: null })).toBe('no-arrival-time')
  expect(state({ readablePointAt: now })).toBe('vehicle-passed')
  expect(state({ displayed: { isThisVehicle: true, isOwn: false } })).toBe('this-vehicle-selected')
  expect(state({ displayed: { isThisVehicle: false, isOwn: true } })).toBe('another-vehicle-selected')
  expect(state({ displayed: { isThisVehicle: true, isOwn: true } })).toBe('displayed')
  expect(state({ permitted: false })).toBe('not-permitted')
})

test('the author can cancel a plate while the sign is offline or after the vehicle passed', () => {
  const displayed = { isThisVehicle: true, isOwn: true }
  expect(state({ displayed, available: false })).toBe('displayed')
  expect(state({ displayed, readablePointAt: now })).toBe('displayed')
  expect(state({ displayed, permitted: false })).toBe('this-vehicle-selected')
})

test('only showing and cancelling are manageable', () => {
  expect(isManageable('ready')).toBe(true)
  expect(isManageable('displayed')).toBe(true)
  expect(isManageable('vehicle-passed')).toBe(false)
})
