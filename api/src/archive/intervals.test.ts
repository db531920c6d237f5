import { expect, test } from 'vitest'
import { locateOffset, mergeAdjacent, splitRange } from './intervals.ts'

const at = (text: string) => Date.parse(`2026-10-${text}Z`)
const shown = (intervals: { from: number; to: number }[]) =>
  intervals.map(
    ({ from, to }) => `${new Date(from).toISOString().slice(8, 16)}-${new Date(to).toISOString().slice(8, 16)}`,
  )

test('splits a range into whole days, surrounding whole hours, and the remainders at the ends', () => {
  const intervals = splitRange(at('01T21:30:00'), at('04T01:15:00'))
  expect(shown(intervals)).toEqual([
    '01T21:30-01T22:00',
    '01T22:00-01T23:00',
    '01T23:00-02T00:00',
    '02T00:00-03T00:00',
    '03T00:00-04T00:00',
    '04T00:00-04T01:00',
    '04T01:00-04T01:15',
  ])
})

test('does not split a range within one hour, or a whole day', () => {
  expect(shown(splitRange(at('01T10:05:00'), at('01T10:06:00')))).toEqual(['01T10:05-01T10:06'])
  expect(shown(splitRange(at('01T00:00:00'), at('02T00:00:00')))).toEqual(['01T00:00-02T00:00'])
})

test('merges adjacent intervals in any order', () => {
  const intervals = [
    { from: 5, to: 6 },
    { from: 1, to: 2 },
    { from: 2, to: 4 },
  ]
  expect(mergeAdjacent(intervals)).toEqual([
    { from: 1, to: 4 },
    { from: 5, to: 6 },
  ])
})

const counted = [
  { from: 0, to: 1, vehicles: 5 },
  { from: 1, to: 2, vehicles: 0 },
  { from: 2, to: 3, vehicles: 3 },
  { from: 3, to: 4, vehicles: 10 },
]

test.each([
  ['asc', 0, 5, [0], 0],
  ['asc', 0, 6, [0, 2], 0],
  ['asc', 4, 2, [0, 2], 4],
  ['asc', 5, 1, [2], 0],
  ['asc', 7, 2, [2, 3], 2],
  ['desc', 0, 10, [3], 0],
  ['desc', 9, 2, [3, 2], 9],
  ['desc', 12, 2, [2, 0], 2],
  ['desc', 17, 10, [0], 4],
  ['desc', 18, 10, [], 18],
] as const)(
  '%s from offset %i: a page of %i reads the intervals %j and skips %i',
  (direction, offset, limit, intervals, skip) => {
    const place = locateOffset(counted, direction, offset, limit)
    expect([place.intervals.map(({ from }) => from), place.skip]).toEqual([intervals, skip])
  },
)
