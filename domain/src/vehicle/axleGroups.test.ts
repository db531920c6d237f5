import { expect, test } from 'vitest'
import { axleGroups } from './axleGroups.ts'

test.each<[string, number[], number[][]]>([
  ['no axles have no groups', [], []],
  ['one axle is a group of one', [0], [[1]]],
  ['180 cm join', [0, 180], [[1, 2]]],
  ['181 cm part', [0, 181], [[1], [2]]],
  ['a tractor with a tridem', [0, 370, 560, 131, 131], [[1], [2], [3, 4, 5]]],
  ['a rigid lorry with a tandem', [0, 500, 135], [[1], [2, 3]]],
  [
    'a group may come first',
    [0, 170, 400, 135],
    [
      [1, 2],
      [3, 4],
    ],
  ],
  ['the gap of the first axle is no gap', [170, 400], [[1], [2]]],
  ['a gap that was not measured joins nothing', [0, 0, 130], [[1], [2, 3]]],
])('%s', (_, gaps, groups) => {
  expect(axleGroups(gaps)).toEqual(groups)
})

test('24 axles close together are one group', () => {
  const [group, ...others] = axleGroups(Array<number>(24).fill(140))

  expect(others).toEqual([])
  expect(group).toHaveLength(24)
  expect(group?.at(-1)).toBe(24)
})
