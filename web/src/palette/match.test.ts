import { expect, test } from 'vitest'
import { findMatch } from './match.ts'

const found = (search: string, label: string, terms?: string) => {
  const match = findMatch(search, label, terms)
  return match?.ranges.map(([start, end]) => label.slice(start, end)) ?? null
}

test.each([
  ['lodz', 'DK91 Łódź', ['Łódź']],
  ['ŁÓDŹ', 'Lodz', ['Lodz']],
  // With a separate mark, as some keyboards type it.
  ['o\u0301dz', 'Łódź', ['ódź']],
  ['strase', 'Straße', ['Straße']],
  ['siauliai', 'Šiauliai', ['Šiauliai']],
  ['gro s7', 'S7 Grójec', ['S7', 'Gró']],
  ['ar arch', 'Archiwum', ['Arch']],
  ['stan', 'Stan stacji', ['Stan']],
])('%s is found in %s', (search, label, ranges) => {
  expect(found(search, label)).toEqual(ranges)
})

test('finds further terms without marking them', () => {
  expect(found('mazowieckie', 'S7 Grójec', 'Grójec, mazowieckie')).toEqual([])
  expect(found('groj', 'S7 Grójec', 'Grójec, mazowieckie')).toEqual(['Grój'])
})

test('finds nothing unless every word is there', () => {
  expect(found('s8 gro', 'S7 Grójec')).toBeNull()
})

test('ranks the start of the label before that of a word, and that before the middle of a word', () => {
  const rank = (label: string) => findMatch('gr', label)?.rank
  expect(['Grupy znaków', 'S7 Grójec', 'Podgrupy'].map(rank)).toEqual([0, 1, 2])
})
