import { expect, test } from 'vitest'
import { axleRows, groupRanges, layOutAxles } from './axleLayout.ts'

const ARTICULATED = [0, 374, 567, 131, 131]

test('puts up to seven axles in one row and wraps the eighth', () => {
  expect(axleRows([1, 2, 3, 4, 5, 6, 7])).toEqual([[1, 2, 3, 4, 5, 6, 7]])
  expect(axleRows([1, 2, 3, 4, 5, 6, 7, 8, 9])).toEqual([
    [1, 2, 3, 4, 5, 6, 7],
    [8, 9],
  ])
  expect(axleRows(Array.from({ length: 15 })).map((row) => row.length)).toEqual([7, 7, 1])
  expect(axleRows([])).toEqual([])
})

test('draws axles to scale', () => {
  const { xs } = layOutAxles(ARTICULATED, 1376)
  const gaps = xs.slice(1).map((x, i) => x - (xs[i] ?? 0))

  expect(gaps.map((gap) => Math.round((gap / (gaps[0] ?? 1)) * 374))).toEqual([374, 567, 131, 131])
  expect(xs.at(-1)).toBeLessThan(1376)
})

test('a long vehicle is drawn smaller, not beyond the edge', () => {
  const { xs } = layOutAxles([0, 480, 140, 520, 600, 180, 300], 1000)

  expect(xs.at(-1)).toBeLessThanOrEqual(1000 - 60)
})

test('a short vehicle does not fill the page', () => {
  const { xs } = layOutAxles([0, 530], 1376)

  expect((xs[1] ?? 0) - (xs[0] ?? 0)).toBeLessThan(400)
})

test('an axle far from its neighbours has a wider column than one in a group', () => {
  const { columns } = layOutAxles(ARTICULATED, 1376)

  expect(columns[1]).toBeGreaterThan(columns[3] ?? 0)
})

test('overlapping numbers do not fit', () => {
  expect(layOutAxles(ARTICULATED, 1376).fits).toBe(true)
  expect(layOutAxles(ARTICULATED, 600).fits).toBe(false)
  expect(layOutAxles([0], 358).fits).toBe(true)
  expect(layOutAxles([0], 200).fits).toBe(false)
})

test('draws an unmeasured spacing with a default width', () => {
  const { xs } = layOutAxles([0, 0, 131], 1376)

  expect(new Set(xs).size).toBe(3)
})

test('a group across two rows has a bracket in both', () => {
  const groups = [[1], [2, 3], [4, 5, 6, 7, 8, 9]]

  expect(groupRanges(groups, 1, 7)).toEqual([
    { group: 0, from: 0, to: 0 },
    { group: 1, from: 1, to: 2 },
    { group: 2, from: 3, to: 6 },
  ])
  expect(groupRanges(groups, 8, 2)).toEqual([{ group: 2, from: 0, to: 1 }])
})
