import { describe, expect, test } from 'vitest'
import { countdown, formatCountdown } from './countdown.ts'

const CREATED = 1_000_000
const CHECKPOINT = CREATED + 90_000

describe('a vehicle with a checkpoint time and 60 additional seconds', () => {
  test.each([
    ['just measured', CREATED, 'approaching', 90],
    ['a part of a second later', CREATED + 1, 'approaching', 90],
    ['in the last second', CHECKPOINT - 1, 'approaching', 1],
    ['at the checkpoint', CHECKPOINT, 'passed', 0],
    ['less than a second behind it', CHECKPOINT + 999, 'passed', 0],
    ['a second behind it', CHECKPOINT + 1_000, 'passed', -1],
    ['at its last millisecond', CHECKPOINT + 59_999, 'passed', -59],
    ['when the additional time is over', CHECKPOINT + 60_000, 'gone', 0],
    ['long after', CHECKPOINT + 3_600_000, 'gone', 0],
  ])('%s', (_, now, phase, seconds) => {
    expect(countdown(CHECKPOINT, now, 60, CREATED)).toStrictEqual({ phase, seconds })
  })
})

test('without additional time a vehicle is gone at its checkpoint', () => {
  expect(countdown(CHECKPOINT, CHECKPOINT - 1, 0, CREATED).phase).toBe('approaching')
  expect(countdown(CHECKPOINT, CHECKPOINT, 0, CREATED).phase).toBe('gone')
})

test('a vehicle without a checkpoint time stays for the additional time and shows no countdown', () => {
  expect(countdown(null, CREATED, 60, CREATED)).toEqual({ phase: 'passed', seconds: null })
  expect(countdown(null, CREATED + 59_999, 60, CREATED)).toEqual({ phase: 'passed', seconds: null })
  expect(countdown(null, CREATED + 60_000, 60, CREATED)).toEqual({ phase: 'gone', seconds: 0 })
})

test.each([
  [252, '04:12'],
  [1, '00:01'],
  [0, '00:00'],
  [-1, '\u221200:01'],
  [-42, '\u221200:42'],
  [-600, '\u221210:00'],
  [3_599, '59:59'],
  [3_600, '1:00:00'],
  [3_725, '1:02:05'],
  [-3_725, '\u22121:02:05'],
  [-0, '00:00'],
])('%s seconds read %s', (seconds, text) => {
  expect(formatCountdown(seconds)).toBe(text)
})
