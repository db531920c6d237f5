import { expect, test } from 'vitest'
import { createQueue, createSemaphore } from './queue.ts'

test('nothing is sent before its time or lost before its removal', () => {
  const queue = createQueue<string>(10)
  queue.add('now', 0)
  queue.add('held', 500)
  queue.add('also now', 0)

  expect(queue.ready(100, 10)).toEqual(['now', 'also now'])
  expect(queue.ready(100, 10)).toEqual(['now', 'also now'])
  queue.remove(['now', 'also now'])
  expect(queue.ready(100, 10)).toEqual([])
  expect(queue.ready(500, 10)).toEqual(['held'])
})

test('a batch takes the oldest vehicles, an image request the newest', () => {
  const queue = createQueue<number>(10)
  for (const n of [1, 2, 3]) queue.add(n, 0)

  expect(queue.ready(0, 2)).toEqual([1, 2])
  expect(queue.newest(0)).toBe(3)
})

test('a full queue drops and counts its oldest items', () => {
  const queue = createQueue<number>(3)
  for (const n of [1, 2, 3, 4, 5]) queue.add(n, 0)

  expect(queue.ready(0, 10)).toEqual([3, 4, 5])
  expect(queue.dropped()).toBe(2)
  expect(queue.size()).toBe(3)
})

test('semaphore runs at most n tasks in FIFO order, even after a failure', async () => {
  const turn = createSemaphore(2)
  let [busy, most, done] = [0, 0, 0]
  const work = (fails: boolean) =>
    turn(async () => {
      most = Math.max(most, ++busy)
      await new Promise((resolve) => setTimeout(resolve, 2))
      busy--
      done++
      if (fails) throw new Error('no')
    }).catch(() => undefined)

  await Promise.all(Array.from({ length: 12 }, (_, i) => work(i % 3 === 0)))

  expect(most).toBe(2)
  expect(done).toBe(12)
})
