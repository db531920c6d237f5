import { describe, expect, test } from 'vitest'
import { MISREAD_DIGITS, MISREAD_LETTERS, misreadForm, plateMatches, plateSimilarity } from './plateMatch.ts'

describe('without a similarity', () => {
  test.each([
    ['WX12345', 'wx 123-45', true],
    ['WX12345', 'WX1234', false],
    ['WX12345', 'WX*', true],
    ['WX12345', '*345', true],
    ['WX12345', '*X1*4*', true],
    ['WX12345', 'W*6', false],
    ['WX12345', 'WX1234?', true],
    ['WX12345', 'WX12345?', false],
    ['WX12345', '*', true],
    ['WX12345', 'WX1.345', false],
    ['WX12345', 'X1234', false],
    // a dot is no wildcard, and is not ignored
    ['WX1345', 'WX1.345', false],
    ['WX+1', 'WX+1', true],
    // one character, although two UTF-16 units
    ['𝒲1', '?1', true],
    ['', '*', false],
    // misread characters match only by similarity
    ['WO12345', 'W012345', false],
    [null, '*', false],
    [null, undefined, true],
    ['WX12345', '', true],
    ['WX12345', ' - ', true],
  ])('%s against %s: %s', (plate, wanted, expected) => {
    expect(plateMatches(plate, wanted)).toBe(expected)
    expect(plateMatches(plate, wanted, 0)).toBe(expected)
  })
})

describe('with a similarity', () => {
  test.each([
    // the same plate, misread
    ['WO1Z345', 'W0I2345', 1],
    ['BS8', '85B', 1],
    // trigrams "  w" " wx" "wx1" "x12" "123" "234" "345" "45 " and the same but "346" "46 ": 6 of 10
    ['WX12345', 'WX12346', 0.6],
    // only the first blanks and letter in common: 1 of 8
    ['WAA', 'W777', 1 / 8],
    ['WX12345', 'KR77799', 0],
    ['', 'WX12345', 0],
    ['', '', 0],
  ])('%s and %s are alike by %s', (one, other, similarity) => {
    expect(plateSimilarity(one, other)).toBeCloseTo(similarity, 10)
    expect(plateSimilarity(other, one)).toBeCloseTo(similarity, 10)
  })

  test('a similarity equal to the bound matches', () => {
    expect(plateMatches('WX12345', 'wx 12346', 60)).toBe(true)
    expect(plateMatches('WX12345', 'wx 12346', 61)).toBe(false)
    expect(plateMatches('WX12345', 'W*X1234?6', 60)).toBe(true)
    expect(plateMatches(null, 'WX12346', 1)).toBe(false)
  })
})

test('every misread letter maps to a digit', () => {
  expect(misreadForm(MISREAD_LETTERS)).toBe(MISREAD_DIGITS)
  expect(misreadForm('WX0')).toBe('WX0')
})
