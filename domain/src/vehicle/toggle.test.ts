import { expect, test } from 'vitest'
import { toggle, toggleAll } from './toggle.ts'

test('toggle adds a missing item and removes a selected one', () => {
  expect(toggle([], 3)).toEqual([3])
  expect(toggle([1, 2], 3)).toEqual([1, 2, 3])
  expect(toggle([1, 3, 2], 3)).toEqual([1, 2])
})

test.each<[string, number[], number[], number[]]>([
  ['nothing chosen', [1, 2, 3], [], [1, 2, 3]],
  ['some chosen', [1, 2, 3], [2], [1, 2, 3]],
  ['all chosen, in any order', [1, 2, 3], [3, 1, 2], []],
  ['all chosen and one that is gone', [1, 2], [1, 2, 9], []],
  ['nothing to choose', [], [], []],
])('a click on all: %s', (_, all, chosen, expected) => {
  expect(toggleAll(all, chosen)).toEqual(expected)
})
