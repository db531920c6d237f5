import { expect, test } from 'vitest'
import { toneOf } from './beep.ts'

const sound = { muted: false, arrivals: 'all', alarm: true } as const
const plain = { arrived: 2, violating: 0, wanted: 0 }
const violating = { arrived: 2, violating: 1, wanted: 0 }
const wanted = { arrived: 1, violating: 0, wanted: 1 }
const none = { arrived: 0, violating: 0, wanted: 0 }

test.each([
  ['all', 'beep', 'beep', 'beep'],
  ['violations', null, 'beep', 'beep'],
  ['wanted', null, null, 'beep'],
] as const)(
  'set to %s, plain, violating and wanted arrivals without an alarm sound %s, %s, %s',
  (arrivals, ...tones) => {
    const set = { ...sound, arrivals, alarm: false }
    expect([plain, violating, wanted].map((one) => toneOf(one, set))).toEqual(tones)
    expect(toneOf(none, set)).toBeNull()
  },
)

test('a wanted vehicle sounds the alarm, also while arrivals are muted', () => {
  expect(toneOf(wanted, sound)).toBe('alarm')
  expect(toneOf(wanted, { ...sound, muted: true, arrivals: 'wanted' })).toBe('alarm')
  expect(toneOf(wanted, { ...sound, muted: true, alarm: false })).toBeNull()
  expect(toneOf(violating, { ...sound, muted: true })).toBeNull()
})
