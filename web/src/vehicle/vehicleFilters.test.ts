import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from '../core/search.ts'
import { changeFilters, fromWire, readFilters, toWire } from './vehicleFilters.ts'

const all: VehicleFilters = {
  locations: [3, 7],
  ctg8p1: ['9', '8', 'lack'],
  laneNumbers: [1, 2],
  plateLpr: 'WPR8K4?',
  similarity: 80,
  minSpeed: 91,
  maxTotalLoad: 44_000,
  minVehLength: 1_875,
  minOverloadSA: 2.5,
  overload: true,
  wrongDirection: true,
}

test('round-trips filters through the address', () => {
  const address = stringifySearch({ ...all })

  expect(address).toContain('locations=3,7')
  expect(readFilters(parseSearch(address))).toEqual(all)
})

test('one location in the address is still a list', () => {
  expect(readFilters(parseSearch('?locations=7'))).toEqual({ locations: [7] })
})

test('ignores a malformed value and keeps the others', () => {
  const search = parseSearch(
    '?locations=7&minSpeed=fast&similarity=300&ctg8p1=9,42&laneNumbers=1,x&overload=perhaps&step=3',
  )

  expect(readFilters(search)).toEqual({ locations: [7] })
})

test('a bound of zero, a flag that is off and an empty list filter nothing', () => {
  expect(readFilters(parseSearch('?minSpeed=0&overload=false&locations=&plateLpr='))).toEqual({})
})

test('a change sets, replaces and removes, and keeps what is no filter', () => {
  const search = { step: 2, locations: [7], minSpeed: 90 }

  expect(changeFilters(search, { locations: [], maxSpeed: 120, minSpeed: 0 })).toEqual({ step: 2, maxSpeed: 120 })
})

test.each([
  ['TotalLoad', 46.9, 46_900],
  ['VehHeight', 4.35, 435],
  ['VehLength', 18.75, 1_875],
  ['Speed', 90, 90],
  ['OverloadTL', 9.6, 9.6],
  ['NumberOfAxles', 5, 5],
] as const)('%s %s on the screen is %s in the request', (field, shown, wire) => {
  expect(toWire(field, shown)).toBe(wire)
  expect(fromWire(field, wire)).toBe(shown)
})
