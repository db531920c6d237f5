import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLastTimes } from './last-times.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const at = (second: number) => new Date(Date.UTC(2026, 9, 20, 8, 0, second))

test('writes a new station at once, then its newest time once a second, with retries', async () => {
  const written: [number, Date][][] = []
  let isUnavailable = false
  const times = createLastTimes(async (all) => {
    if (isUnavailable) throw new Error('the database is unavailable')
    written.push([...all])
  })
  expect([times.claim(7), times.claim(7), times.claim(8)]).toEqual([true, false, true])
  for (const second of [2, 3, 1]) times.add(7, at(second))
  isUnavailable = true
  await vi.advanceTimersByTimeAsync(1_000)
  isUnavailable = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(written).toEqual([[[7, at(3)]]])
  expect(times.claim(7)).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(times.claim(7)).toBe(true)
  times.release(7)
  expect(times.claim(7)).toBe(true)
})
