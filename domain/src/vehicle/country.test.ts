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
