import { expect, test } from 'vitest'
import { chainageKm, compareRoads } from './roads.ts'

test('orders roads by class and number', () => {
  const roads = ['DK50', 'S61', 'A18', 'S8', 'A2', 'DW801', 'DK7']
  expect(roads.sort(compareRoads)).toEqual(['A2', 'A18', 'S8', 'S61', 'DK7', 'DK50', 'DW801'])
})

test.each([
  ['512+400', 512.4],
  ['1+050', 1.05],
  ['61', 61],
  ['unknown', null],
])('reads the chainage %s', (chainage, km) => {
  expect(chainageKm(chainage)).toBe(km)
})
