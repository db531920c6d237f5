import { expect, test } from 'vitest'
import { toneOf } from './limits.ts'

test('a bin is certainly above the limit after the tolerance', () => {
  // 40 t measured with 7 %: certain from 42.8 t.
  expect([39, 40, 42, 43].map((from) => toneOf(from, 40, 7))).toEqual([undefined, 'tolerated', 'tolerated', 'certain'])
})
