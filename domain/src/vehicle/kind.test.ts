import { expect, test } from 'vitest'
import { kindOf, storedCtg8p1 } from './kind.ts'

test.each([
  [10, null, 'motorcycle'],
  [7, null, 'car'],
  [2, null, 'carWithTrailer'],
  [11, null, 'van'],
  [3, null, 'rigid'],
  [8, null, 'roadTrain'],
  [9, null, 'articulated'],
  [5, null, 'bus'],
  // [8+1] comes first
  [7, 5, 'car'],
  // not classified by [8+1]: COST 323 decides where it can
  [6, 2, 'rigid'],
  [0, 3, 'rigid'],
  [null, 4, 'articulated'],
  [undefined, 5, 'articulated'],
  [6, 6, 'roadTrain'],
  [6, 7, 'bus'],
  [6, 1, 'unclassified'],
  [6, 8, 'unclassified'],
  [null, null, 'unclassified'],
])('[8+1] %s with COST 323 %s is %s', (ctg8p1, ctg323, kind) => {
  expect(kindOf(ctg8p1, ctg323)).toBe(kind)
})

test('stores the classes of TLS 8+1, and 0 for a vehicle that is not classified', () => {
  const classes = [2, 3, 5, 7, 8, 9, 10, 11]
  expect(classes.map(storedCtg8p1)).toEqual(classes)
  // 6 is "other vehicles"; 1, 4 and 12 are no classes of 8+1.
  expect([6, 1, 4, 12, 0, null, undefined].map(storedCtg8p1)).toEqual([0, 0, 0, 0, 0, 0, 0])
})
