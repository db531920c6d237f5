import { expect, test } from 'vitest'
import { conflictOf, loadsOf } from './conflict.ts'

test.each([
  ['version-outdated', true, false, { isLost: true, canRetry: false }],
  ['version-outdated', true, true, { isLost: true, canRetry: true }],
  ['version-outdated', false, false, { isLost: false, canRetry: true }],
  ['inspection-taken-over', true, true, { isLost: true, canRetry: false }],
  ['forbidden', true, false, { isLost: true, canRetry: false }],
  ['state-not-allowed', false, true, { isLost: false, canRetry: false }],
  ['inspection-not-found', false, false, { isLost: false, canRetry: false }],
  ['photo-lost', true, false, { isLost: false, canRetry: false }],
  ['weights-disagree', false, false, { isLost: false, canRetry: true }],
])('%s, of another officer %s, reviewer %s: %j', (code, isOfOther, isReviewer, expected) => {
  expect(conflictOf({ code }, { isOfOther, isReviewer })).toEqual(expected)
})

test('weights of both sides are listed with their sum, those that are missing left out', () => {
  const none = { axles: null, groups: null, gross: null }
  expect(loadsOf({ ...none, axles: [7_300, 13_700, 0] })).toEqual({ parts: [7_300, 13_700], total: 21_000 })
  expect(loadsOf({ ...none, groups: [{ axles: 2, load: 16_000 }] })).toEqual({ parts: [16_000], total: 16_000 })
  expect(loadsOf({ ...none, gross: 45_800 })).toEqual({ parts: [], total: 45_800 })
  expect(loadsOf({ ...none, axles: [0, 0] })).toBeNull()
})
