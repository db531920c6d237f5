import { expect, test } from 'vitest'
import { answered, CLOSED, FAILURES_TO_OPEN, failed, TRY_AGAIN_MS, trying } from './circuit.ts'

const at = (ms: number) => new Date(Date.UTC(2026, 9, 20) + ms)

test('a sign that fails several times in a row is left alone, tried again, and open again when it fails', () => {
  let breaker = CLOSED
  for (let failure = 1; failure < FAILURES_TO_OPEN; failure++) {
    breaker = failed(breaker, at(0))
    expect(breaker.circuit).toBe('closed')
  }
  breaker = failed(breaker, at(0))
  expect(breaker.circuit).toBe('open')
  expect(trying(breaker, at(TRY_AGAIN_MS - 1))).toBeUndefined()
  const again = trying(breaker, at(TRY_AGAIN_MS))
  expect(again?.circuit).toBe('half-open')
  expect(failed(again ?? CLOSED, at(TRY_AGAIN_MS))).toMatchObject({ circuit: 'open', tryAt: at(2 * TRY_AGAIN_MS) })
})

test('one answer closes it', () => {
  expect(answered()).toEqual(CLOSED)
  expect(trying(CLOSED, at(0))).toEqual(CLOSED)
})
