import { describe, expect, test } from 'vitest'
import { displayPlate, normalisePlate } from './plate.ts'

test.each([
  ['wx 12345', 'WX12345'],
  ['W-XY\u2013123', 'WXY123'],
  ['\u00a0po\u20091ab ', 'PO1AB'],
  ['dö12', 'DÖ12'],
  [' - ', null],
  ['', null],
  [null, null],
  [undefined, null],
])('%s becomes %s', (plate, normalised) => {
  expect(normalisePlate(plate)).toBe(normalised)
})

describe('displayPlate', () => {
  test.each([
    ['WGM4K281', 'PL', 'WGM 4K281'],
    ['PO7XA93', 'PL', 'PO 7XA93'],
    ['WPRA123', 'PL', 'WPR A123'],
    ['BI552JK', 'PL', 'BI 552JK'],
    ['LZA482', 'LT', 'LZA 482'],
    ['BKX4127', 'DE', 'BKX 4127'],
    ['B214NTR', 'RO', 'B 214 NTR'],
    ['AA1234BB', 'UA', 'AA 1234 BB'],
    ['1AB2345', 'CZ', '1AB 2345'],
    ['WOJTEK', 'PL', 'WOJTEK'],
    ['1WGM234', 'PL', '1WGM234'],
    ['WIAB123', 'DE', 'WIAB 123'],
    ['PRAHA123', 'CZ', 'PRAHA 123'],
    ['WPRA123', null, 'WPR A123'],
    ['1AB23456', null, '1 AB 23456'],
    ['ABC123', null, 'ABC 123'],
    ['WGM4K281', null, 'WGM 4K281'],
    ['BI552JK', null, 'BI 552JK'],
    ['AA1234BB', null, 'AA 1234 BB'],
    ['B214NTR', null, 'B 214 NTR'],
  ])('%s of %s reads %s', (plate, nationality, shown) => {
    expect(displayPlate(plate, nationality)).toBe(shown)
  })
})
