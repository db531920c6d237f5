import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startHeartbeat } from './heartbeat.ts'
import { endSession, startSession } from './session.ts'

const pings = vi.fn(async () => new Response(null, { status: 204 }))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', pings)
})
afterEach(() => {
  endSession(null)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('sends a heartbeat every 20 s from login to logout', async () => {
  startHeartbeat()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(pings).not.toHaveBeenCalled()
  startSession('abc')
  await vi.advanceTimersByTimeAsync(19_999)
  expect(pings).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(40_001)
  expect(pings).toHaveBeenCalledTimes(3)
  endSession(null)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(pings).toHaveBeenCalledTimes(3)
})
