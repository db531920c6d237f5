import { expect, test } from 'vitest'
import { createSemaphore, createUserSemaphore } from './semaphore.ts'

const never = new AbortController().signal
const LIMITS = { total: 3, perUser: 2, waitMs: 60_000, queue: 4, queuePerUser: 2 }
const [ANNA, BEN, EVA, MAX] = [1, 2, 3, 4]

test('queues a user at the limit, admits others, and serves them in order', async () => {
  const semaphore = createUserSemaphore(LIMITS)
  const came: string[] = []
  const take = async (name: string, user: number) => {
    const leave = await semaphore.acquire(user, never)
    came.push(name)
    return typeof leave === 'function' ? leave : expect.fail(String(leave))
  }
  const first = await take('Anna 1', ANNA)
  await take('Anna 2', ANNA)
  const third = take('Anna 3', ANNA)
  const ben = await take('Ben 1', BEN)
  const eva = take('Eva 1', EVA)
  await new Promise(setImmediate)
  expect(came).toEqual(['Anna 1', 'Anna 2', 'Ben 1'])
  ben()
  // Releasing twice frees one slot.
  ben()
  const leaveEva = await eva
  expect(came).toEqual(['Anna 1', 'Anna 2', 'Ben 1', 'Eva 1'])
  first()
  await third
  const max = take('Max 1', MAX)
  await new Promise(setImmediate)
  expect(came.at(-1)).toBe('Anna 3')
  leaveEva()
  await max
})

test('serves a user without a slot before queued requests of users with one', async () => {
  const semaphore = createUserSemaphore(LIMITS)
  const came: string[] = []
  const take = async (name: string, user: number) => {
    const leave = await semaphore.acquire(user, never)
    came.push(name)
    return typeof leave === 'function' ? leave : expect.fail(String(leave))
  }
  const anna = await take('Anna 1', ANNA)
  await take('Anna 2', ANNA)
  await take('Ben 1', BEN)
  const others = [take('Anna 3', ANNA), take('Ben 2', BEN)]
  const eva = take('Eva 1', EVA)
  anna()
  const leaveEva = await eva
  expect(came).toEqual(['Anna 1', 'Anna 2', 'Ben 1', 'Eva 1'])
  leaveEva()
  await Promise.all(others.map(async (other) => (await other)()))
})

test('an aborted request in the queue takes no slot', async () => {
  const semaphore = createUserSemaphore({ ...LIMITS, total: 1 })
  const leave = await semaphore.acquire(ANNA, never)
  const gone = new AbortController()
  const waiting = semaphore.acquire(BEN, gone.signal)
  gone.abort()
  expect(await waiting).toBeNull()
  expect(await semaphore.acquire(BEN, gone.signal)).toBeNull()
  if (typeof leave === 'function') leave()
  expect(await semaphore.acquire(BEN, never)).toBeTypeOf('function')
})

test('refuses a request that waits too long or finds the queue full', async () => {
  const short = createUserSemaphore({ ...LIMITS, total: 1, waitMs: 5 })
  const leave = await short.acquire(ANNA, never)
  expect(await short.acquire(BEN, never)).toBe('busy')
  if (typeof leave === 'function') leave()
  expect(await short.acquire(BEN, never)).toBeTypeOf('function')

  const semaphore = createUserSemaphore({ ...LIMITS, total: 1 })
  await semaphore.acquire(ANNA, never)
  const leaving = new AbortController()
  const queued = [ANNA, ANNA, BEN].map((user) => semaphore.acquire(user, leaving.signal))
  expect(await semaphore.acquire(ANNA, never)).toBe('busy')
  queued.push(semaphore.acquire(EVA, leaving.signal))
  expect(await semaphore.acquire(MAX, never)).toBe('busy')
  leaving.abort()
  expect(await Promise.all(queued)).toEqual([null, null, null, null])
})

test('the semaphore without users is FIFO, and drops aborted requests', async () => {
  const semaphore = createSemaphore(2)
  const first = await semaphore.acquire(never)
  await semaphore.acquire(never)
  const came: string[] = []
  const take = async (name: string, signal?: AbortSignal) => {
    const leave = await semaphore.acquire(signal)
    came.push(leave ? name : `${name} left`)
    return leave
  }
  const gone = new AbortController()
  const third = take('third')
  const aborted = take('aborted', gone.signal)
  const fourth = take('fourth')
  await new Promise(setImmediate)
  expect(came).toEqual([])
  gone.abort()
  await aborted
  first?.()
  const leaveThird = await third
  // Releasing twice frees one slot.
  first?.()
  await new Promise(setImmediate)
  expect(came).toEqual(['aborted left', 'third'])
  leaveThird?.()
  await fourth
  expect(came).toEqual(['aborted left', 'third', 'fourth'])
})
