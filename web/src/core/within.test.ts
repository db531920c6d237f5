import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { within } from './within.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('what comes in time is passed on, and leaves no timer', async () => {
  await expect(within(Promise.resolve('page'), 120_000)).resolves.toBe('page')
  await expect(within(Promise.reject(new Error('gone')), 120_000)).rejects.toThrow('gone')
  expect(vi.getTimerCount()).toBe(0)
})

test('what does not come in time is given up', async () => {
  const waiting = within(new Promise(() => undefined), 120_000)
  const given = vi.fn()
  waiting.catch(given)
  await vi.advanceTimersByTimeAsync(119_999)
  expect(given).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(given).toHaveBeenCalledOnce()
})
