import { beforeEach, expect, test, vi } from 'vitest'
import { endSession, startSession } from '../core/session.ts'
import { entryRedirect, resultRedirect } from './entry.ts'
import type { ArchiveSearch } from './search.ts'

// The server's clock follows that of the computer from its import on.
vi.hoisted(() => vi.useFakeTimers({ now: Date.parse('2026-06-08T12:00:00Z') }))

const LAST_DAY = { dateTimeStart: '2026-06-07T12:00:00.000Z', dateTimeEnd: '2026-06-08T12:00:00.000Z' }
const result: ArchiveSearch = { step: 4, locations: [7], ...LAST_DAY, page: 3 }

beforeEach(() => {
  startSession('abc')
  endSession(null)
})

test('defaults to the last 24 hours on the first visit', () => {
  expect(entryRedirect({}, false)).toEqual({ step: 1, ...LAST_DAY })
})

test('a link with filters alone gets the last 24 hours', () => {
  expect(entryRedirect({ locations: [7] }, false)).toEqual({ step: 1, locations: [7], ...LAST_DAY })
})

test('keeps addresses written by the wizard, also without a range', () => {
  expect(entryRedirect(result, true)).toBeNull()
  expect(entryRedirect({ step: 1, locations: [7] }, true)).toBeNull()
  expect(entryRedirect({ step: 1 }, true)).toBeNull()
})

test('a bare link restores the last search with its page', () => {
  entryRedirect(result, true)

  expect(entryRedirect({}, false)).toEqual(result)
})

test('a bare link within the archive leads to step 1 and keeps the filters', () => {
  entryRedirect(result, true)

  expect(entryRedirect({}, true)).toEqual({ ...result, step: 1, page: undefined })
})

test('a vehicle leads back to step 4 of the last search', () => {
  entryRedirect({ ...result, step: 2 }, true)

  expect(entryRedirect({ step: 4 }, false)).toEqual(result)
})

test('a vehicle from a shared link leads back to the first step, because nothing was searched for', () => {
  expect(entryRedirect({ step: 4 }, false)).toEqual({ step: 1, ...LAST_DAY })
})

test('/result jumps to the result, of the last search or of the one in the address', () => {
  expect(resultRedirect({ locations: [7], ...LAST_DAY })).toEqual({ step: 4, locations: [7], ...LAST_DAY })
  expect(resultRedirect({})).toEqual({ step: 4, locations: [7], ...LAST_DAY })
})

test('clears the last search when the session ends', () => {
  startSession('abc')
  entryRedirect(result, true)
  endSession(null)

  expect(entryRedirect({}, false)).toEqual({ step: 1, ...LAST_DAY })
})
