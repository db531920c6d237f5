import { expect, test } from 'vitest'
import type { Iso } from '../vehicle/country.ts'
import areaCodes from './areaCodes-pl.json' with { type: 'json' }
import { isPolishArea, isWellFormed } from './grammar.ts'

test.each<[Iso, string[], string[]]>([
  [
    'PL',
    [
      ...['WX12345', 'WX1234A', 'WX123AC', 'WX1A234', 'WX1AC23'],
      ...['WGMA123', 'WGM12AC', 'WGM1A23', 'WGM12A3', 'WGM1AC2', 'WGMAC12'],
      ...['WGM12345', 'WGM1234A', 'WGM123AC', 'WGM1A234', 'WGM1AC23', 'W0BINGO', 'K6Z17', 'WX1234Y'],
    ],
    [
      ...['WX1234', 'WX123456', 'WXA1234', 'WX1234B', 'WX1234D', 'WX1234I', 'WX1234O', 'WX1234Q', 'WX1234Z'],
      ...[
        'QX12345',
        'WQQA123',
        'WGM1234',
        'WGMA12',
        'WGM123456',
        'WGMABCD',
        'W0BIN123',
        'W0BI1234',
        'WW',
        '',
        'WÖ12345',
      ],
    ],
  ],
  [
    'CZ',
    ['1AB2345', '1A23456', 'ABC1234', 'AB1234'],
    ['1ÁB2345', '11B2345', '1AB234', '1AB23456', 'ABCD123', 'XX1AB2345'],
  ],
  [
    'DE',
    ['BA1', 'HROAB12', 'MAB1234', 'FFBAM483', 'BAB12E', 'BAB12H'],
    ['B1', 'HROAB1234', 'MAB12345', 'MAB12F', '1AB'],
  ],
  ['EE', ['123ABC'], ['12ABC', '123AB', '123ABCD', '1234ABC']],
  ['LT', ['ABC123'], ['AB123', 'ABC12', 'ABC1234', 'ABCD123']],
  ['LV', ['AB1', 'AB1234'], ['A1234', 'AB12345', 'ABC123', 'AB']],
  [
    'RO',
    ['B12ABC', 'B123ABC', 'CJ12ABC'],
    ['B1ABC', 'B1234ABC', 'CJ1ABC', 'CJ123ABC', 'C12ABC', 'CJ12AB', 'CJ12ABCD', 'XXB12ABC'],
  ],
  ['SK', ['BA123AB'], ['BA123A', 'BA12AB', 'B123AB', 'BA123ABC', 'XBA123AB']],
  ['UA', ['AA1234BB'], ['AA1234BD', 'DA1234BB', 'AA123BB', 'AA12345BB', 'A1234BB', 'AA1234BBB', 'XAA1234BB']],
])('formats of %s', (country, wellFormed, others) => {
  expect(wellFormed.filter((form) => isWellFormed(form, country) !== true)).toEqual([])
  expect(others.filter((form) => isWellFormed(form, country) !== false)).toEqual([])
})

test('other countries have no grammar', () => {
  expect([isWellFormed('ABC123', 'FR'), isWellFormed('ABC123', null)]).toEqual([null, null])
})

test('area codes have two or three letters, each once', () => {
  const codes = Object.entries(areaCodes).flatMap(([letter, rest]) => rest.split(' ').map((code) => letter + code))
  expect(codes.filter((code) => !/^[A-Z]{2,3}$/.test(code) || !isPolishArea(code))).toEqual([])
  expect(new Set(codes).size).toBe(codes.length)
  expect(['WX', 'WGM', 'KRK', 'VWR', 'MPL', 'XGD', 'HPA', 'W'].map(isPolishArea)).toEqual([
    ...[true, true, true, true, true],
    ...[false, false, false],
  ])
})
