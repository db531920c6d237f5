import { expect, test } from 'vitest'
import { signConditionOf } from './vms.ts'

test.each([
  ['OK', 'ok'],
  ['Unable to reach the sign: no answer', 'unavailable'],
  ['Failed to read the sign: genErr', 'unavailable'],
  ['Failed', 'malfunction'],
  ['Malfunction: lamp', 'malfunction'],
  ['', 'malfunction'],
])('the status %j means %s', (status, condition) => {
  expect(signConditionOf(status)).toBe(condition)
})
