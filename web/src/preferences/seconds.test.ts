import { expect, test } from 'vitest'
import { secondsError } from './seconds.ts'

test.each(['0', ' 60 ', '600'])('%s seconds may be set', (text) => {
  expect(secondsError(text)).toBeNull()
})

test.each([
  ['', 'invalid-number'],
  ['abc', 'invalid-number'],
  ['1.5', 'invalid-number'],
  ['-1', 'value-too-small'],
  ['601', 'value-too-large'],
])('"%s" is refused as %s', (text, code) => {
  expect(secondsError(text)).toBe(code)
})
