import { expect, test } from 'vitest'
import { activeKeys, dueSounds } from './alarmSound.ts'

const ALL = {
  muted: false,
  arrivals: 'all',
  alarm: true,
  wrongWay: true,
  highAlarms: true,
  mediumAlarms: true,
} as const
const alarm = { id: 1, count: 1, state: 'active', isSilent: false } as const
const wrongWay = { ...alarm, kind: 'wrong-way', priority: 'high' } as const
const sign = { ...alarm, id: 2, kind: 'sign-not-cleared', priority: 'high' } as const
const overload = { ...alarm, id: 3, kind: 'overload', priority: 'medium' } as const
const disk = { ...alarm, id: 4, kind: 'disk-low', priority: 'low', isSilent: true } as const

const NEW: ReadonlyMap<string, number> = new Map()

test.each([
  ['new ones of each priority', [disk, overload, wrongWay], NEW, 1_000, ['high', 'medium']],
  ['a high one after ten seconds', [wrongWay], activeKeys([wrongWay], 0), 10_000, ['high']],
  ['a high one before', [wrongWay], activeKeys([wrongWay], 0), 9_000, []],
  ['a medium one once', [overload], activeKeys([overload], 0), 60_000, []],
  ['one that was raised again', [{ ...overload, count: 2 }], activeKeys([overload], 0), 60_000, ['medium']],
  ['one that returned from the shelf', [overload], activeKeys([{ ...overload, state: 'shelved' }], 0), 0, ['medium']],
  ['a silent medium one, in a flood', [{ ...overload, isSilent: true }], NEW, 60_000, []],
  ['a high one that repeats', [{ ...sign, isSilent: true }], NEW, 60_000, []],
  ['acknowledged, cleared and shelved ones', states('acknowledged', 'cleared', 'shelved'), NEW, 60_000, []],
  ['the first list: high ones', [overload, sign], null, Number.POSITIVE_INFINITY, ['high']],
] as const)('%s: %j', (_, alarms, known, sinceHighMs, due) => {
  expect(dueSounds(alarms, known, sinceHighMs, ALL)).toEqual(due)
})

test('an alarm that a list lacks for a moment does not sound again, one that was shelved does', () => {
  const after = (...lists: (readonly Parameters<typeof activeKeys>[0][number][])[]) =>
    lists.reduce((known, alarms, at) => activeKeys(alarms, 1_000 * at, known), NEW)
  const again = [wrongWay, overload]
  expect(dueSounds(again, after(again, [], []), 3_000, ALL)).toEqual([])
  expect(dueSounds(again, after(again, [{ ...overload, state: 'acknowledged' }]), 3_000, ALL)).toEqual([])
  expect(dueSounds(again, after(again, [{ ...overload, state: 'shelved' }]), 3_000, ALL)).toEqual(['medium'])
  // They are not kept for ever.
  expect(activeKeys([], 600_000, activeKeys(again, 0)).size).toBe(0)
})

function states(...list: ('acknowledged' | 'cleared' | 'shelved')[]) {
  return list.map((state) => ({ ...sign, state }))
}

test.each([
  [{ muted: true }, ['high']],
  [{ mediumAlarms: false }, ['high']],
  [{ muted: true, highAlarms: false }, ['high']],
  [{ muted: true, highAlarms: false, wrongWay: false }, []],
  [{ highAlarms: false, wrongWay: false }, ['medium']],
] as const)('muting silences only what it names: %j', (settings, due) => {
  expect(dueSounds([wrongWay, sign, overload], NEW, 0, { ...ALL, ...settings })).toEqual(due)
  expect(dueSounds([wrongWay], NEW, 0, { ...ALL, muted: true, highAlarms: false })).toEqual(['high'])
})
