import { expect, test } from 'vitest'
import { countryOf } from './country.ts'

test('finds a country by ISO code or distinguishing sign', () => {
  expect(countryOf('PL')).toEqual({ iso: 'PL', blueBand: true })
  expect(countryOf('D')).toEqual({ iso: 'DE', blueBand: true })
  expect(countryOf('UA')).toEqual({ iso: 'UA', blueBand: false })
})

test('returns null for an unknown country code', () => {
  expect(countryOf('XX')).toBeNull()
  expect(countryOf('constructor')).toBeNull()
  expect(countryOf(null)).toBeNull()
})

test.each(
  Object.entries({
    A: 'AT',
    B: 'BE',
    BIH: 'BA',
    E: 'ES',
    EST: 'EE',
    F: 'FR',
    FIN: 'FI',
    FL: 'LI',
    H: 'HU',
    I: 'IT',
    IRL: 'IE',
    L: 'LU',
    M: 'MT',
    MNE: 'ME',
    N: 'NO',
    NMK: 'MK',
    P: 'PT',
    RUS: 'RU',
    S: 'SE',
    SLO: 'SI',
    SRB: 'RS',
    UK: 'GB',
  }),
)('the distinguishing sign %s is that of %s', (sign, iso) => {
  expect(countryOf(sign)?.iso).toBe(iso)
})
