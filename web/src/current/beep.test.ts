import { expect, test } from 'vitest'
import { playsTone } from './beep.ts'

const sound = { muted: false, arrivals: 'all', alarm: true } as const
const plain = { arrived: 2, violating: 0, wanted: 0 }
const violating = { arrived: 2, violating: 1, wanted: 0 }
const wanted = { arrived: 1, violating: 0, wanted: 1 }
const none = { arrived: 0, violating: 0, wanted: 0 }

test.each([
  ['all', true, true, true],
  ['violations', false, true, true],
  ['wanted', false, false, true],
] as const)(
  'set to %s, plain, violating and wanted arrivals without an alarm play a tone: %s, %s, %s',
  (arrivals, ...tones) => {
    const set = { ...sound, arrivals, alarm: false }
    expect([plain, violating, wanted].map((one) => playsTone(one, set))).toEqual(tones)
    expect(playsTone(none, set)).toBe(false)
  },
)

test('no arrival plays a tone while muted, nor a wanted vehicle for which the alarm sounds', () => {
  expect(playsTone(wanted, sound)).toBe(false)
  expect(playsTone(wanted, { ...sound, muted: true, alarm: false })).toBe(false)
  expect(playsTone(violating, { ...sound, muted: true })).toBe(false)
})
