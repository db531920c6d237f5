import { expect, test } from 'vitest'
import { CLOSED, FAILURES_TO_OPEN, nextAttempt, onAnswer, onNoAnswer, RETRY_MS } from './circuit.ts'

const at = (ms: number) => new Date(Date.UTC(2026, 9, 20) + ms)

test('circuit opens after repeated failures, then half-opens, and reopens on failure', () => {
  let breaker = CLOSED
  for (let failure = 1; failure < FAILURES_TO_OPEN; failure++) {
    breaker = onNoAnswer(breaker, at(0))
    expect(breaker.circuit).toBe('closed')
  }
  breaker = onNoAnswer(breaker, at(0))
  expect(breaker.circuit).toBe('open')
  expect(nextAttempt(breaker, at(RETRY_MS - 1))).toBeUndefined()
  const again = nextAttempt(breaker, at(RETRY_MS))
  expect(again?.circuit).toBe('half-open')
  expect(onNoAnswer(again ?? CLOSED, at(RETRY_MS))).toMatchObject({ circuit: 'open', tryAt: at(2 * RETRY_MS) })
})

test('circuit closes after one answer', () => {
  expect(onAnswer()).toEqual(CLOSED)
  expect(nextAttempt(CLOSED, at(0))).toEqual(CLOSED)
})
