import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { openGroups, readVmsSearch, searchForStations, toggleGroup } from './search.ts'

const GROUPS = [11, 12, 13]

test('restores stations and open groups from a shared link', () => {
  const address = stringifySearch({ locations: [1, 7], open: [12] })

  expect(address).toBe('?locations=1,7&open=12')
  expect(readVmsSearch(parseSearch(address))).toEqual({ locations: [1, 7], open: [12] })
})

test('ignores values that are no numbers', () => {
  expect(readVmsSearch(parseSearch('?locations=x,7,7,-1&open='))).toEqual({ locations: [7], open: undefined })
})

test('opens the first group until the operator opens or closes one', () => {
  expect(openGroups({}, GROUPS)).toEqual([11])
  expect(openGroups(toggleGroup({}, GROUPS, 12), GROUPS)).toEqual([11, 12])
  expect(openGroups({}, [])).toEqual([])
})

test('all groups can be closed, also in a shared link', () => {
  const closed = toggleGroup({ locations: [7] }, GROUPS, 11)

  expect(openGroups(readVmsSearch(parseSearch(stringifySearch(closed))), GROUPS)).toEqual([])
  expect(openGroups(toggleGroup(closed, GROUPS, 13), GROUPS)).toEqual([13])
})

test('another choice of stations opens their first group', () => {
  expect(openGroups(searchForStations([7]), GROUPS)).toEqual([11])
  expect(stringifySearch(searchForStations([]))).toBe('')
})
