import { expect, test } from 'vitest'
import { chainageAfter, chainageKm, compareRoads } from './roads.ts'

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

test.each([
  ['512+400', true, 1_700, '514+100'],
  ['512+400', false, 1_700, '510+700'],
  ['61,2', true, 4_850, '66+050'],
  ['7', false, 7_000, '0+000'],
  ['1+000', false, 1_001, null],
  ['512+400', null, 1_700, null],
  ['węzeł', true, 1_700, null],
])('chainage after %s (ascending: %s) and %i m is %s', (chainage, ascends, metres, expected) => {
  expect(chainageAfter(chainage, ascends, metres)).toBe(expected)
})
