import { expect, test } from 'vitest'
import { foldOf, identityForm, identityOf, polishForm } from './identity.ts'

test.each([
  ['wgm 4k-281', 'WGM4K281'],
  ["B.A'12·3", 'BA123'],
  ['DÖ 12', 'DO12'],
  ['ŁÓŻ 5', 'LOZ5'],
  // Cyrillic, then Greek.
  ['АВ 1234 СЕ', 'AB1234CE'],
  ['ΑΒΕ 1234', 'ABE1234'],
  [' - ', null],
  ['', null],
  [null, null],
])('the identity form of %s is %s', (plate, form) => {
  expect(identityForm(plate)).toBe(form)
})

test('a fold has all strong pairs as digits', () => {
  expect(foldOf('OQDIBSZG0185260')).toBe('000185260185260')
  expect(foldOf('ACEFHJKLMNPRTUVWXY3479')).toBe('ACEFHJKLMNPRTUVWXY3479')
})

test.each([
  ['WX1234S', 'WX1234S', 'S occurs in series'],
  ['WX1234G', 'WX1234G', 'G occurs in series'],
  ['WX1234B', 'WX12348', 'B does not'],
  ['WXDIOZB', 'WX01028', 'all letters that do not occur'],
  ['6DA5AC7', 'GDA5AC7', 'a digit in the area code'],
  ['P01AB23', 'PO1A823', 'O in an area code of two letters'],
  ['8BI1A23', 'BBI1A23', 'B in an area code of three letters'],
  ['2SL12345', 'ZSL12345', 'Z in an area code'],
  ['5ZO12345', 'SZO12345', 'eight characters'],
  ['WPR1B', 'WPR1B', 'too short'],
  ['WGM12B456', 'WGM12B456', 'too long'],
  ['WX123B', 'WX1238', 'motorcycle'],
  ['QX1234B', 'QX1234B', 'unknown area code'],
  ['W31234B', 'W31234B', 'a digit that resembles no letter'],
  ['BIA123O', 'BIA1230', 'two area codes, one reading'],
  ['POB12AC', 'POB12AC', 'PO with 8, or POB'],
  ['W0BINGO', 'W0BINGO', 'individual plate'],
  ['K6Z17', 'K6Z17', 'individual plate with digits'],
])('Polish grammar reads %s as %s: %s', (form, reading) => {
  expect(polishForm(form)).toBe(reading)
})

test('the identity of a plate is its form with the country', () => {
  expect(identityOf('WX 1234-B', 'PL')).toEqual({ form: 'WX1234B', country: 'PL' })
  expect(identityOf('WX 1234B', 'D')).toEqual({ form: 'WX1234B', country: 'DE' })
  expect(identityOf('WX 1234B', null)).toEqual({ form: 'WX1234B', country: null })
  expect(identityOf('WX 1234B', '??')).toEqual({ form: 'WX1234B', country: null })
  expect(identityOf(' ', 'PL')).toBeNull()
})
