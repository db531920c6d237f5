import { expect, test } from 'vitest'
import { approachProgress, thinOut } from './way.ts'

/** 6 km at 90 km/h. */
const PASSAGE = { createdAt: 0, checkpointTime: 240_000 }

test.each([
  ['at the station', 0, 0],
  ['after 60 s, a quarter of the way', 60_000, 0.25],
  ['at the checkpoint', 240_000, 1],
  ['59 s after it', 299_000, 1],
  ['60 s after it', 300_000, null],
])('the position of a vehicle %s', (_, now, share) => {
  expect(approachProgress(PASSAGE, now)).toBe(share)
})

test('a vehicle without a checkpoint time is at the station for 60 s', () => {
  expect(approachProgress({ createdAt: 0, checkpointTime: null }, 59_000)).toBe(0)
  expect(approachProgress({ createdAt: 0, checkpointTime: null }, 60_000)).toBeNull()
})

test('thins out plain vehicles and never special ones', () => {
  const vehicles = Array.from({ length: 60 }, (_, order) => ({ order, special: order < 15 }))
  const shown = thinOut(vehicles)
  expect(shown.filter(({ special }) => special)).toHaveLength(15)
  expect(shown.map(({ order }) => order).slice(15)).toEqual(Array.from({ length: 22 }, (_, at) => 16 + 2 * at))
  expect(thinOut(vehicles.slice(0, 40))).toHaveLength(40)
  expect(thinOut(vehicles.map(({ order }) => ({ order, special: true })))).toHaveLength(60)
})
