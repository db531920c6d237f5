import { expect, test } from 'vitest'
import { likelyReadings, searchedReadings } from './history.ts'

test.each([
  // One of seven characters: 100 − 30 / 7.
  ['PO7XA93', 'P07XA93', 96],
  ['PO7XA93', 'PO7XA93', 100],
  ['PO 7XA93', 'PQ7XA93', 96],
  ['PO7XA93', 'PD7XA93', 96],
  // Two: 100 − 60 / 7.
  ['SO7XA93', '507XA93', 91],
  // A digit for a digit is another plate, and so are three confused characters of seven.
  ['PO7XA93', 'PO7XA98', undefined],
  ['SOBXA93', '508XA93', undefined],
  ['SOBXA9345', '508XA9345', 90],
  ['PO7XA93', 'PO7XA9', undefined],
])('%s may be read as %s: %s', (plate, reading, percent) => {
  expect(likelyReadings(plate).get(reading)).toBe(percent)
})

test('likely readings agree with a comparison of all spellings', () => {
  const groups = ['0OQD', '1I', '8B', '5S', '2Z', '6G', 'A', '7']
  const plate = 'O1BSA7'
  const spellings = [...plate].reduce<string[]>(
    (before, character) => {
      const group = groups.find((one) => one.includes(character)) as string
      return before.flatMap((text) => [...group].map((other) => text + other))
    },
    [''],
  )
  const expected = spellings.flatMap((text) => {
    const wrong = [...text].filter((character, at) => character !== plate[at]).length
    const percent = 100 * (1 - (0.3 * wrong) / plate.length)
    return percent >= 90 ? [[text, Math.round(percent)] as const] : []
  })
  expect(Object.fromEntries(likelyReadings(plate))).toEqual(Object.fromEntries(expected))
})

test('a country is that of the plate, or unknown', () => {
  expect(searchedReadings('WA 7', 'PL')).toEqual(['WA7:PL', 'WA7:'])
  expect(searchedReadings('WA 7', null)).toEqual(['WA7'])
  expect(searchedReadings('WA 7', 'XX')).toEqual(['WA7'])
  expect(searchedReadings('- -', 'PL')).toEqual([])
})
