import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { withTimeout } from './withTimeout.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('returns a result in time and clears the timer', async () => {
  await expect(withTimeout(Promise.resolve('page'), 120_000)).resolves.toBe('page')
  await expect(withTimeout(Promise.reject(new Error('gone')), 120_000)).rejects.toThrow('gone')
  expect(vi.getTimerCount()).toBe(0)
})

test('rejects after the timeout', async () => {
  const waiting = withTimeout(new Promise(() => undefined), 120_000)
  const onRejected = vi.fn()
  waiting.catch(onRejected)
  await vi.advanceTimersByTimeAsync(119_999)
  expect(onRejected).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onRejected).toHaveBeenCalledOnce()
})
