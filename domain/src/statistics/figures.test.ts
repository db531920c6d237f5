import { statNames } from '@rogatka/contract/options.ts'
import { expect, test } from 'vitest'
import { decimalsOf, figureFormats, toDisplayUnit } from './figures.ts'

const texts = (statName: (typeof statNames)[number]) =>
  figureFormats(statName, (value, decimals) => value.toFixed(decimals))

test('displays loads in tonnes with two decimals, all else unchanged', () => {
  expect(statNames.map((name) => [name, texts(name).figure(46_905)])).toEqual([
    ['traffic', '46905'],
    ['trafficDensity', '46905.00'],
    ['minSpeed', '46905'],
    ['avgSpeed', '46905.0'],
    ['maxSpeed', '46905'],
    ['minTotalLoad', '46.91'],
    ['avgTotalLoad', '46.91'],
    ['maxTotalLoad', '46.91'],
  ])
  expect([toDisplayUnit('avgTotalLoad', 1_240), decimalsOf('avgTotalLoad')]).toEqual([1.24, 2])
})

test('keeps decimals of whole means in a column, and shows a dash for null', () => {
  expect([texts('avgSpeed').figure(90), texts('avgSpeed').figure(null)]).toEqual(['90.0', '–'])
})

test('an axis has as few decimals as its steps need', () => {
  const { tick } = texts('trafficDensity')
  expect([0, 10, 0.5, 0.1 + 0.2, 12.25, 1 / 3].map(tick)).toEqual(['0', '10', '0.5', '0.3', '12.25', '0.333'])
  expect([0, 500, 12_000, 12_250].map(texts('maxTotalLoad').tick)).toEqual(['0', '0.5', '12', '12.25'])
})
