import { beforeEach, expect, test, vi } from 'vitest'
import { endSession, startSession } from '../core/session.ts'
import { entryRedirect, recordSearch } from './entry.ts'
import { filtersOf } from './presets.ts'
import type { StatisticsSearch } from './urlParams.ts'

const NOW = vi.hoisted(() => {
  const now = '2026-06-08T12:00:00Z'
  vi.useFakeTimers({ now: Date.parse(now) })
  return now
})
const basic: StatisticsSearch = { step: 1, ...filtersOf('basic', Date.parse(NOW)) }

beforeEach(() => {
  startSession('abc')
  endSession(null)
})

test('defaults to the basic preset on the first visit', () => {
  expect(entryRedirect({}, false)).toEqual(basic)
})

test('a link with filters alone is completed by the basic preset', () => {
  expect(entryRedirect({ locations: [7], groupBy: 'category' }, false)).toEqual({
    ...basic,
    locations: [7],
    groupBy: 'category',
  })
})

test('keeps addresses written by the wizard', () => {
  expect(entryRedirect({ step: 1 }, false)).toBeNull()
  expect(entryRedirect({ result: true }, true)).toBeNull()
})

test('a bare link restores the last query, within the statistics at step 1', () => {
  const result: StatisticsSearch = { ...basic, locations: [7], result: true }
  recordSearch(result)

  expect(entryRedirect({}, false)).toEqual(result)
  expect(entryRedirect({}, true)).toEqual({ ...result, result: undefined })
})

test('a link of another tab restores the last query with its stations and range', () => {
  const result: StatisticsSearch = { ...basic, locations: [7], result: true }
  const { dateTimeStart, dateTimeEnd } = result
  recordSearch(result)
  expect(entryRedirect({ locations: [7], dateTimeStart, dateTimeEnd }, false)).toEqual(result)
  expect(entryRedirect({ locations: [8, 9] }, false)).toEqual({ ...result, locations: [8, 9] })
  expect(entryRedirect({ locations: [8] }, true)).toEqual({ ...result, locations: [8], result: undefined })
  expect(entryRedirect({ locations: [8], groupBy: 'category' }, false)).toEqual({
    ...basic,
    locations: [8],
    groupBy: 'category',
  })

  // A range that moves with the clock.
  const moving: StatisticsSearch = { ...result, ...filtersOf('current', Date.parse(NOW)) }
  recordSearch(moving)
  const range = { dateTimeStart: moving.dateTimeStart, dateTimeEnd: moving.dateTimeEnd }
  expect(entryRedirect({ locations: [7], ...range }, false)).toEqual(moving)
  expect(entryRedirect({ dateTimeStart, dateTimeEnd }, false)).toEqual({
    ...moving,
    preset: 'basic',
    dateTimeStart,
    dateTimeEnd,
  })
})

test('clears the last query when the session ends', () => {
  startSession('abc')
  recordSearch({ ...basic, locations: [7] })
  endSession(null)

  expect(entryRedirect({}, false)).toEqual(basic)
})
