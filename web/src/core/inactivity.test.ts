import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchInactivity } from './inactivity.ts'

const MINUTE = 60_000

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

type WatchTestOptions = Pick<Parameters<typeof watchInactivity>[0], 'clocks' | 'sharedIdleMs'>

/** A watch with controllable clocks and without other tabs by default. */
const startWatch = (options: WatchTestOptions = {}) => {
  const onIdle = vi.fn()
  const onWarning = vi.fn()
  return { onIdle, onWarning, watch: watchInactivity({ onIdle, onWarning, ...options }) }
}

test('ends the session after five minutes without activity, and not earlier', () => {
  const { onIdle } = startWatch()
  vi.advanceTimersByTime(299_999)
  expect(onIdle).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onIdle).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(1_000_000)
  expect(onIdle).toHaveBeenCalledOnce()
})

test('warns a minute before the end and removes the warning at the end', () => {
  const { onWarning, watch } = startWatch()
  vi.advanceTimersByTime(4 * MINUTE - 1)
  expect(onWarning).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onWarning.mock.calls).toEqual([[true]])
  expect(watch.idleMs()).toBe(4 * MINUTE)
  vi.advanceTimersByTime(MINUTE)
  expect(onWarning.mock.calls).toEqual([[true], [false]])
})

test('activity restarts the five minutes', () => {
  const { onIdle, onWarning, watch } = startWatch()
  for (let times = 0; times < 10; times++) {
    vi.advanceTimersByTime(200_000)
    expect(watch.touch()).toBe(true)
  }
  vi.advanceTimersByTime(4 * MINUTE - 1)
  expect([onIdle, onWarning].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
  vi.advanceTimersByTime(MINUTE + 1)
  expect(onIdle).toHaveBeenCalledOnce()
})

test('during the warning only a decision to stay keeps the session', () => {
  const { onIdle, onWarning, watch } = startWatch()
  vi.advanceTimersByTime(4 * MINUTE + 30_000)
  expect(watch.touch()).toBe(false)
  expect(onWarning.mock.calls).toEqual([[true]])
  watch.stay()
  expect(onWarning.mock.calls).toEqual([[true], [false]])
  vi.advanceTimersByTime(5 * MINUTE - 1)
  expect(onIdle).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onIdle).toHaveBeenCalledOnce()
})

test('activity in another tab counts from when it was', () => {
  const { onIdle, watch } = startWatch()
  vi.advanceTimersByTime(4 * MINUTE)
  watch.stay(MINUTE)
  vi.advanceTimersByTime(4 * MINUTE - 1)
  // Older than the own activity: no effect.
  watch.stay(5 * MINUTE)
  expect(onIdle).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onIdle).toHaveBeenCalledOnce()
})

const late = ['touch', 'stay', 'check'] as const
test.each(late)('%s comes too late after a sleep of the computer', (call) => {
  const clocks = { wall: 0, monotonic: 0 }
  const { onIdle, watch } = startWatch({ clocks: () => ({ ...clocks }) })
  // The monotonic clock slept too.
  clocks.wall = 300_000
  watch[call]()
  expect(onIdle).toHaveBeenCalledOnce()
})

test.each(late)('%s counts activity of another tab after a freeze, even without its message', (call) => {
  const clocks = { wall: 0, monotonic: 0 }
  const { onIdle, onWarning, watch } = startWatch({
    clocks: () => ({ ...clocks }),
    sharedIdleMs: () => clocks.wall - 500_000,
  })
  clocks.wall = 600_000
  clocks.monotonic = 600_000
  watch[call]()
  expect([onIdle, onWarning].map(({ mock }) => mock.calls.length)).toEqual([0, 0])
})

test('a frozen tab ends the session if other tabs were idle for five minutes', () => {
  const clocks = { wall: 0, monotonic: 0 }
  const { onIdle, onWarning, watch } = startWatch({
    clocks: () => ({ ...clocks }),
    sharedIdleMs: () => clocks.wall - 100_000,
  })
  clocks.wall = 360_000
  watch.check()
  expect(onWarning.mock.calls).toEqual([[true]])
  expect(watch.idleMs()).toBe(260_000)
  clocks.wall = 400_000
  watch.check()
  expect(onIdle).toHaveBeenCalledOnce()
})

test('a wall clock that is set back does not prolong the session', () => {
  const clocks = { wall: 10_000_000, monotonic: 0 }
  const { onIdle, onWarning, watch } = startWatch({ clocks: () => ({ ...clocks }) })
  clocks.wall -= 3_600_000
  clocks.monotonic = 4 * MINUTE
  watch.check()
  expect(onWarning.mock.calls).toEqual([[true]])
  clocks.monotonic = 5 * MINUTE
  watch.check()
  expect(onIdle).toHaveBeenCalledOnce()
})

test('stops watching a session that has ended', () => {
  const { onIdle, watch } = startWatch()
  watch.stop()
  vi.advanceTimersByTime(600_000)
  watch.touch()
  watch.stay()
  expect(onIdle).not.toHaveBeenCalled()
})
