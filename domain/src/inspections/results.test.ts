import type { InspectionResult } from '@rogatka/contract/inspections.ts'
import { describe, expect, test } from 'vitest'
import { inspectionNumber, numberYear, stationCode } from './number.ts'
import { canCloseUnweighed, contradictsWeights, needsReason, resultsError } from './results.ts'
import { shiftAt, shiftEnd, startsOfShifts } from './shift.ts'
import { isValidNip, parseTaxId } from './taxId.ts'

test.each<[InspectionResult[], number | null, string | null]>([
  [[], null, 'results result-missing'],
  [[1], null, null],
  [[1, 8], null, null],
  [[1, 11], null, null],
  ...([2, 3, 4, 5, 6, 7, 9, 10] as const).map((other): [InspectionResult[], null, string] => [
    [other, 1],
    null,
    'results results-contradict',
  ]),
  [[2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 0, null],
  [[3], 10_000_000, null],
  [[4], 50_000, null],
  [[3], null, null],
  ...([1, 2, 5, 6, 7, 8, 9, 10, 11] as const).map((result): [InspectionResult[], number, string] => [
    [result],
    0,
    'fineAmount results-contradict',
  ]),
])('results %j with the amount %s: %s', (results, fineAmount, expected) => {
  const error = resultsError({ results, fineAmount })
  expect(error && `${error.path} ${error.code}`).toBe(expected)
})

test('refused weighing, a broken scale and other offences need no weights', () => {
  const all = Array.from({ length: 11 }, (_, at) => (at + 1) as InspectionResult)
  expect(all.filter((result) => canCloseUnweighed([result]))).toEqual([9, 10, 11])
  expect(canCloseUnweighed([1, 11])).toBe(true)
})

test('a weighed vehicle has no result that says that it was not weighed', () => {
  const all = Array.from({ length: 11 }, (_, at) => (at + 1) as InspectionResult)
  expect(all.filter((result) => contradictsWeights([result]))).toEqual([9, 10])
  expect([contradictsWeights([3, 9]), contradictsWeights([3, 11])]).toEqual([true, false])
})

test('only a confirmed excess that is compliant has to be explained', () => {
  const cases: [InspectionResult[], boolean | null][] = [
    [[1], true],
    [[1, 11], true],
    [[1], false],
    [[1], null],
    [[8], true],
  ]
  expect(cases.map(([results, isConfirmed]) => needsReason(results, isConfirmed))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
})

describe('tax number', () => {
  test.each([
    ['1234563218', true],
    ['1234563219', false],
    ['123456321', false],
    ['12345632180', false],
    // The check digit would be 10.
    ['1234567890', false],
  ])('%s is a Polish one: %s', (digits, expected) => {
    expect(isValidNip(digits)).toBe(expected)
  })

  test.each([
    ['123-456-32-18', '1234563218'],
    ['PL 123 456 32 18', '1234563218'],
    ['PL1234563219', null],
    ['PL12345', null],
    ['PL12345632181', null],
    ['1234563219', null],
    ['DE 123456789', 'DE123456789'],
    ['lt100001919017', 'LT100001919017'],
    [' ', null],
  ])('%s is stored as %s', (text, expected) => {
    expect(parseTaxId(text)).toBe(expected)
  })
})

test.each([
  ['S8 Zabrodzie', 'ZAB'],
  ['S8 Wyszków', 'WYS'],
  ['A2 Łowicz', 'LOW'],
  ['DK 7 Ólówek', 'OLO'],
  ['B 3 Øst', 'OST'],
  ['B 4 Đakovo', 'DAK'],
  ['B 5 Maße', 'MAS'],
  ['B 6 MAẞE', 'MAS'],
  ['B 7 Ærø', 'AER'],
  ['B 8 Œuvre', 'OEU'],
  ['A1', '7'],
])('the code of %s is %s', (shortName, code) => {
  expect(stationCode(shortName, 7)).toBe(code)
})

test('inspections are numbered by the year in Warsaw', () => {
  expect(inspectionNumber(7, numberYear(new Date('2026-10-20T09:02:11Z')), 'ZAB')).toBe('K/7/2026/ZAB')
  expect(numberYear(new Date('2026-12-31T22:59:59.999Z'))).toBe(2026)
  expect(numberYear(new Date('2026-12-31T23:00:00Z'))).toBe(2027)
})

test.each([
  ['2026-10-20T03:59:59.999Z', '2026-10-19 22:00'],
  ['2026-10-20T04:00:00Z', '2026-10-20 06:00'],
  ['2026-10-20T11:59:59Z', '2026-10-20 06:00'],
  ['2026-10-20T12:00:00Z', '2026-10-20 14:00'],
  ['2026-10-20T20:00:00Z', '2026-10-20 22:00'],
  ['2026-10-20T22:30:00Z', '2026-10-20 22:00'],
  // An hour later in winter.
  ['2026-10-26T04:59:59Z', '2026-10-25 22:00'],
  ['2026-10-26T05:00:00Z', '2026-10-26 06:00'],
])('%s is in the shift of %s', (at, expected) => {
  const { day, start } = shiftAt(['06:00', '14:00', '22:00'], new Date(at))
  expect(`${day} ${start}`).toBe(expected)
})

test.each([
  // 25 October 2026: from 02:00 to 03:00 twice, first in summer time.
  ['2026-10-25T00:29:59.999Z', '2026-10-24 14:30'],
  ['2026-10-25T00:30:00Z', '2026-10-25 02:30'],
  ['2026-10-25T00:45:00Z', '2026-10-25 02:30'],
  ['2026-10-25T01:10:00Z', '2026-10-25 02:30'],
  ['2026-10-25T01:30:00Z', '2026-10-25 02:30'],
  ['2026-10-25T13:29:59Z', '2026-10-25 02:30'],
  ['2026-10-25T13:30:00Z', '2026-10-25 14:30'],
  // 29 March 2026: 02:00 is 03:00.
  ['2026-03-29T00:59:59Z', '2026-03-28 14:30'],
  ['2026-03-29T01:00:00Z', '2026-03-29 02:30'],
])('a shift begins once on the days of the clock change: %s is in that of %s', (at, expected) => {
  const { day, start } = shiftAt(['02:30', '14:30'], new Date(at))
  expect(`${day} ${start}`).toBe(expected)
})

test.each([
  ['2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', ['2026-10-25T00:30:00Z', '2026-10-25T13:30:00Z']],
  ['2026-10-25T00:45:00Z', '2026-10-25T13:30:00Z', []],
  ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', ['2026-03-29T01:00:00Z', '2026-03-29T12:30:00Z']],
  ['2026-06-01T12:30:00Z', '2026-06-02T12:30:00.001Z', ['2026-06-02T00:30:00Z', '2026-06-02T12:30:00Z']],
])('from %s to %s the shifts begin that times are in', (from, to, expected) => {
  const starts = ['02:30', '14:30']
  const [first, ...begun] = startsOfShifts(starts, new Date(from), new Date(to))
  expect([first, begun]).toEqual([new Date(from), expected.map((at) => new Date(at))])
  // The shift of a time changes at these and at no other minute.
  const changes = []
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  for (let at = begin + 60_000; at < end; at += 60_000) {
    const [before, now] = [at - 60_000, at].map((time) => Object.values(shiftAt(starts, new Date(time))).join(' '))
    if (before !== now) changes.push(new Date(at))
  }
  expect(changes).toEqual(begun)
})

test('a shift ends when the next one begins, the last one with the first', () => {
  const endOf = (start: string, ...starts: string[]) => shiftEnd(starts, start)
  expect(endOf('06:00', '06:00', '14:00', '22:00')).toBe('14:00')
  expect(endOf('22:00', '06:00', '14:00', '22:00')).toBe('06:00')
  expect(endOf('06:00', '06:00')).toBe('06:00')
  expect(endOf('07:00', '06:00', '14:00')).toBeNull()
})
