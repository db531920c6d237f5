import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createImageNotifier } from './image-notifier.ts'

const log = { warn: () => {} }
const key = (id: number) => ({ id, createdAt: new Date('2026-10-20T08:00:00Z') })

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('notifies of images in batches, once per vehicle, and retries after a failure', async () => {
  const told: number[][] = []
  let isAway = true
  const notifier = createImageNotifier(undefined as never, log, async (_sql, keys) => {
    if (isAway) throw new Error('the database is away')
    told.push(keys.map(({ id }) => id))
  })
  for (const id of [1, 2, 1]) notifier.add(key(id))
  await vi.advanceTimersByTimeAsync(100)
  isAway = false
  notifier.add(key(3))
  await vi.advanceTimersByTimeAsync(100)
  expect(told).toEqual([[1, 2, 3]])

  notifier.add(key(4))
  await notifier.stop()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told).toEqual([[1, 2, 3], [4]])
})
