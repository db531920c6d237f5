import { expect, test } from 'vitest'
import { axleTolerance, bounds, groupTolerance, tolerances } from './tolerance.ts'

test.each([
  [44_000, 10, 40_000, 48_889],
  [40_000, 7, 37_383, 43_011],
  [1_000, 5, 952, 1_053],
  [8_000, 35, 5_926, 12_308],
  [0, 25, 0, 0],
])('%s kg within %s percent are between %s and %s', (measured, tolerance, min, max) => {
  expect(bounds(measured, tolerance)).toEqual({ min, max })
})

test('tolerance grows from gross over group and single axle to axle of a group, in every class', () => {
  for (const { gross, group, singleAxle, axleOfGroup } of Object.values(tolerances)) {
    expect([gross, group, singleAxle, axleOfGroup]).toEqual(
      [gross, group, singleAxle, axleOfGroup].sort((a, b) => a - b),
    )
  }
})

test('a single axle has its own tolerance, as an axle and as a group of one', () => {
  const b10 = tolerances['B(10)']

  expect([axleTolerance(b10, 1), axleTolerance(b10, 2), groupTolerance(b10, 1), groupTolerance(b10, 3)]).toEqual([
    15, 20, 15, 13,
  ])
})

test.each([
  ['A(5)', 5, 7, 8, 10],
  ['B+(7)', 7, 10, 11, 14],
  ['B(10)', 10, 13, 15, 20],
  ['C(15)', 15, 18, 20, 25],
  ['D+(20)', 20, 23, 25, 30],
  ['D(25)', 25, 28, 30, 35],
] as const)('class %s has the tolerances of COST 323', (accuracyClass, gross, group, singleAxle, axleOfGroup) => {
  expect(tolerances[accuracyClass]).toEqual({ gross, group, singleAxle, axleOfGroup })
})
