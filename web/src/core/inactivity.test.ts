import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { INACTIVITY_MS, watchInactivity } from './inactivity.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const watched = (now?: () => number) => {
  const idle = vi.fn()
  return { idle, watch: watchInactivity(INACTIVITY_MS, idle, now) }
}

test('five minutes without a sign end the session, and not a moment less', () => {
  const { idle } = watched()
  vi.advanceTimersByTime(299_999)
  expect(idle).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(idle).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(1_000_000)
  expect(idle).toHaveBeenCalledOnce()
})

test('every sign starts the five minutes anew', () => {
  const { idle, watch } = watched()
  for (let times = 0; times < 10; times++) {
    vi.advanceTimersByTime(200_000)
    watch.touch()
  }
  expect(idle).not.toHaveBeenCalled()
  vi.advanceTimersByTime(300_000)
  expect(idle).toHaveBeenCalledOnce()
})

test('a sign after a sleep of the computer comes too late, though no timer ran', () => {
  let clock = 0
  const { idle, watch } = watched(() => clock)
  clock = 3_600_000
  watch.touch()
  expect(idle).toHaveBeenCalledOnce()
})

test('a page that is looked at again after a sleep notices by the clock', () => {
  let clock = 0
  const { idle, watch } = watched(() => clock)
  clock = 300_000
  watch.look()
  expect(idle).toHaveBeenCalledOnce()
})

test('a session that has ended is watched no longer', () => {
  const { idle, watch } = watched()
  watch.stop()
  vi.advanceTimersByTime(600_000)
  watch.touch()
  expect(idle).not.toHaveBeenCalled()
})
