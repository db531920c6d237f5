import { expect, test } from 'vitest'
import type { DerivedAxle, DerivedGroup } from './derived.ts'
import {
  axleFieldIndex,
  loadsAndGaps,
  packAxles,
  packGroups,
  packShape,
  unpackAxles,
  unpackGroups,
  unpackShape,
} from './pack.ts'

const axles: DerivedAxle[] = [
  { type: 1, leftWeight: 3_500, rightWeight: 3_600, totalLoad: 7_100, gap: 0, limit: 10_000, overload: 0 },
  { type: 2, leftWeight: 6_000, rightWeight: null, totalLoad: 6_000, gap: 530, limit: null, overload: 0.1 },
  { type: 2, leftWeight: null, rightWeight: null, totalLoad: 0, gap: 130, limit: null, overload: 17.5 },
  { type: 1, leftWeight: 0, rightWeight: 0, totalLoad: 0, gap: 400, limit: 10_000, overload: 0 },
]

const groups: DerivedGroup[] = [
  { axles: [1], totalLoad: 7_100, limit: 10_000, overload: 0 },
  { axles: [2, 3], totalLoad: 6_000, limit: null, overload: 12.3 },
]

test('packed axles and groups are integers and round-trip', () => {
  expect(packAxles(axles).every(Number.isInteger)).toBe(true)
  expect(packGroups(groups).every(Number.isInteger)).toBe(true)
  expect(unpackAxles(packAxles(axles))).toEqual(axles)
  expect(unpackGroups(packGroups(groups))).toEqual(groups)
})

test('packed fields keep the stored order', () => {
  expect(packAxles(axles.slice(1, 2))).toEqual([2, 6_000, -1, 530, 0, 1])
  expect(packGroups(groups.slice(1))).toEqual([2, 2, 6_000, 0, 123])
})

test('an axle field is found at its stored index, from 1 as in PostgreSQL', () => {
  const stored = [1, 3_500, 3_600, 0, 10_000, 0, 2, 6_000, -1, 530, 0, 1, 2, -1, -1, 130, 0, 175]
  const at = (...field: Parameters<typeof axleFieldIndex>) => stored[axleFieldIndex(...field) - 1]
  expect([at(1, 'left'), at(1, 'right'), at(1, 'gap')]).toEqual([3_500, 3_600, 0])
  expect([at(2, 'left'), at(2, 'right'), at(2, 'gap')]).toEqual([6_000, -1, 530])
  expect(at(3, 'gap')).toBe(130)
})

test('lists read loads and gaps only, where an unmeasured wheel weighs nothing', () => {
  const stored = [1, 3_500, 3_600, 0, 10_000, 0, 2, 6_000, -1, 530, 0, 1, 2, -1, 4_000, 130, 0, 175]
  expect(loadsAndGaps(stored)).toEqual([
    { totalLoad: 7_100, gap: 0 },
    { totalLoad: 6_000, gap: 530 },
    { totalLoad: 4_000, gap: 130 },
  ])
  expect(loadsAndGaps([])).toEqual([])
})

test('packs empty lists to empty arrays', () => {
  expect(packAxles([])).toEqual([])
  expect(unpackAxles([])).toEqual([])
  expect(unpackGroups([])).toEqual([])
})

test('a height profile takes two bytes per sample and round-trips', () => {
  const samples = [0, 255, 256, 400, 2_000]
  expect([...packShape(samples)]).toEqual([0, 0, 255, 0, 0, 1, 144, 1, 208, 7])
  expect(unpackShape(packShape(samples))).toEqual(samples)
  const inside = new Uint8Array([9, 9, 9, ...packShape(samples)]).subarray(3)
  expect(unpackShape(inside)).toEqual(samples)
})
