import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { describe, expect, test } from 'vitest'
import { type Matchable, matches } from './match.ts'

const lorry: Matchable = {
  plateLpr: 'WX12345',
  ctg8p1: 9,
  speed: 85,
  totalLoad: 42_000,
  vehLength: 1_620,
  vehHeight: 400,
  numberOfAxles: 5,
  overloadSA: 0,
  overloadMA: 3.5,
  overloadTL: null,
  overload: true,
  overheight: false,
  overspeed: true,
  overlane: false,
  wrongDirection: false,
  location: { id: 7 },
  lane: { laneNumber: 2 },
}

const EXACT: VehicleFilters = {
  minTotalLoad: 42_000,
  maxTotalLoad: 42_000,
  minVehLength: 1_620,
  maxVehLength: 1_620,
  minVehHeight: 400,
  maxVehHeight: 400,
  minNumberOfAxles: 5,
  maxNumberOfAxles: 5,
}

test.each<[string, VehicleFilters, boolean]>([
  ['no filter', {}, true],
  ['its location', { locations: [3, 7] }, true],
  ['another location', { locations: [3] }, false],
  ['an empty list is no filter', { locations: [], ctg8p1: [], laneNumbers: [] }, true],
  ['its lane', { laneNumbers: [1, 2] }, true],
  ['another lane', { laneNumbers: [1] }, false],
  ['its category', { ctg8p1: ['7', '9'] }, true],
  ['another category', { ctg8p1: ['7', 'lack'] }, false],
  ['one of its violations', { overload: true }, true],
  ['any of the chosen violations', { overheight: true, overspeed: true }, true],
  ['none of the chosen violations', { overheight: true, wrongDirection: true }, false],
  ['a violation that is switched off is no filter', { overheight: false }, true],
  ['its speed at the bounds', { minSpeed: 85, maxSpeed: 85 }, true],
  ['too slow', { minSpeed: 86 }, false],
  ['too fast', { maxSpeed: 84 }, false],
  ['bounds of 0 are none', { minSpeed: 0, maxSpeed: 0 }, true],
  ['its loads, lengths and axles at the bounds', { ...EXACT, minOverloadMA: 3.5, maxOverloadMA: 3.5 }, true],
  ['too light', { minTotalLoad: 42_001 }, false],
  ['too long', { maxVehLength: 1_619 }, false],
  ['too low', { minVehHeight: 401 }, false],
  ['too many axles', { maxNumberOfAxles: 4 }, false],
  ['an overload in percent', { minOverloadMA: 3.5, maxOverloadMA: 3.6 }, true],
  ['an overload that is too small', { minOverloadMA: 3.6 }, false],
  ['an axle within its limit is under any maximum', { maxOverloadSA: 10 }, true],
  ['a missing value is not above any minimum', { minOverloadTL: 1 }, false],
  ['a missing value is not below any maximum', { maxOverloadTL: 100 }, false],
  ['its plate', { plateLpr: 'wx 12-345' }, true],
  ['its plate by wildcard', { plateLpr: 'W?1*' }, true],
  ['another plate', { plateLpr: 'WX12346' }, false],
  ['a similar plate', { plateLpr: 'WX12346', similarity: 60 }, true],
  ['a plate that is not similar enough', { plateLpr: 'WX12346', similarity: 61 }, false],
  ['a similarity without a plate is no filter', { similarity: 90 }, true],
  ['all of several filters', { locations: [7], minSpeed: 80, overload: true, ctg8p1: ['9'] }, true],
  ['all but one of several filters', { locations: [7], minSpeed: 90, overload: true, ctg8p1: ['9'] }, false],
])('%s', (_, filters, expected) => {
  expect(matches(lorry, filters)).toBe(expected)
})

test('a gross overload is filtered by its percent', () => {
  expect(matches({ ...lorry, overloadTL: 12.5 }, { minOverloadTL: 12.5, maxOverloadTL: 12.5 })).toBe(true)
})

describe('category lack', () => {
  test.each([[6], [0], [null], [4]])('includes %s', (ctg8p1) => {
    expect(matches({ ...lorry, ctg8p1 }, { ctg8p1: ['lack'] })).toBe(true)
    expect(matches({ ...lorry, ctg8p1 }, { ctg8p1: ['9'] })).toBe(false)
  })
})
