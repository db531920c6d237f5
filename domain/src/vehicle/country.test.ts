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

const countryNames = new Intl.DisplayNames('en', { type: 'region' })

/** Signs and countries as the United Nations list them for the Vienna Convention on Road Traffic; names as in CLDR. */
test.each([
  ['A', 'Austria'],
  ['B', 'Belgium'],
  ['BIH', 'Bosnia & Herzegovina'],
  ['E', 'Spain'],
  ['EST', 'Estonia'],
  ['F', 'France'],
  ['FIN', 'Finland'],
  ['FL', 'Liechtenstein'],
  ['H', 'Hungary'],
  ['I', 'Italy'],
  ['IRL', 'Ireland'],
  ['L', 'Luxembourg'],
  ['M', 'Malta'],
  ['MNE', 'Montenegro'],
  ['N', 'Norway'],
  ['NMK', 'North Macedonia'],
  ['P', 'Portugal'],
  ['RUS', 'Russia'],
  ['S', 'Sweden'],
  ['SLO', 'Slovenia'],
  ['SRB', 'Serbia'],
  ['UK', 'United Kingdom'],
])('the distinguishing sign %s is that of %s', (sign, country) => {
  expect(countryNames.of(countryOf(sign)?.iso ?? '')).toBe(country)
})
