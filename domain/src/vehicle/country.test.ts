import { expect, test } from 'vitest'
import { countryOf } from './country.ts'

test('a country is known by its ISO code and by the sign on its plates', () => {
  expect(countryOf('PL')).toEqual({ iso: 'PL', blueBand: true })
  expect(countryOf('D')).toEqual({ iso: 'DE', blueBand: true })
  expect(countryOf('UA')).toEqual({ iso: 'UA', blueBand: false })
})

test('a code that names no country we know is none', () => {
  expect(countryOf('XX')).toBeNull()
  expect(countryOf('constructor')).toBeNull()
  expect(countryOf(null)).toBeNull()
})
