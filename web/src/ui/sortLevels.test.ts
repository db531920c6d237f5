import { expect, test } from 'vitest'
import { type Level, levelsAfterClick, sortRows } from './sortLevels.ts'

const click = (levels: Level[], column: string, isAdded = false) =>
  levelsAfterClick(levels, { column, first: column === 'name' ? 'asc' : 'desc', isAdded, maxLevels: 2 })

test('a click sorts, a second one reverses, and a third one returns to the default', () => {
  const once = click([], 'name')
  expect(once).toEqual([{ column: 'name', direction: 'asc' }])
  const turned = click(once, 'name')
  expect(turned).toEqual([{ column: 'name', direction: 'desc' }])
  expect(click(turned, 'name')).toEqual([])
  expect(click(turned, 'hits')).toEqual([{ column: 'hits', direction: 'desc' }])
})

test('a click with Shift adds a level, reverses it and removes it, and replaces the last of too many', () => {
  const both = click(click([], 'name'), 'hits', true)
  expect(both).toEqual([
    { column: 'name', direction: 'asc' },
    { column: 'hits', direction: 'desc' },
  ])
  const turned = click(both, 'hits', true)
  expect(turned[1]).toEqual({ column: 'hits', direction: 'asc' })
  expect(click(turned, 'hits', true)).toEqual([both[0]])
  expect(click(both, 'speed', true).map(({ column }) => column)).toEqual(['name', 'speed'])
  expect(click(both, 'hits')).toEqual([{ column: 'hits', direction: 'desc' }])
})

test('sorts texts as in Polish with their numbers, missing values last in both directions', () => {
  const rows = ['Żuk', 'Łoś', null, 'Lis 10', 'Lis 9'].map((name, id) => ({ id, name, group: id % 2 }))
  const order = (...levels: Level[]) =>
    sortRows(rows, levels, (row, column) => row[column as 'name' | 'group']).map(({ id }) => id)
  expect(order({ column: 'name', direction: 'asc' })).toEqual([4, 3, 1, 0, 2])
  expect(order({ column: 'name', direction: 'desc' })).toEqual([0, 1, 3, 4, 2])
  expect(order({ column: 'group', direction: 'desc' }, { column: 'name', direction: 'asc' })).toEqual([3, 1, 4, 0, 2])
  expect(order()).toEqual([0, 1, 2, 3, 4])
})
