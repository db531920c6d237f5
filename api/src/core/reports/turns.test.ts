import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

const never = new AbortController().signal

test('lets so many in, and the others in the order in which they came', async () => {
  const turns = createTurns(2)
  const first = await turns.take(never)
  await turns.take(never)
  const came: string[] = []
  const third = turns.take(never).then((leave) => {
    came.push('third')
    return leave
  })
  turns.take(never).then(() => came.push('fourth'))
  await Promise.resolve()
  expect(came).toEqual([])
  first?.()
  const leaveThird = await third
  expect(came).toEqual(['third'])
  // Leaving twice frees one place.
  first?.()
  await new Promise(setImmediate)
  expect(came).toEqual(['third'])
  leaveThird?.()
  await new Promise(setImmediate)
  expect(came).toEqual(['third', 'fourth'])
})

test('whoever goes away while waiting takes no place', async () => {
  const turns = createTurns(1)
  const leave = await turns.take(never)
  const gone = new AbortController()
  const waiting = turns.take(gone.signal)
  gone.abort()
  expect(await waiting).toBeNull()
  expect(await turns.take(gone.signal)).toBeNull()
  leave?.()
  expect(await turns.take(never)).not.toBeNull()
})
