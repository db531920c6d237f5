import type { WireAlarm } from '@rogatka/contract/alarms.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { alarmNews, clearNews, updateNews } from './alarmNews.ts'

const alarm = (id: number, priority: WireAlarm['priority'], change: Partial<WireAlarm> = {}) =>
  ({ id, priority, state: 'active', isRepeating: false, ...change }) as WireAlarm

/** What is spoken after a list at a time: ids of high alarms, and of the others. */
function spoken(seconds: number, content: WireAlarm[], isFlood = false) {
  const before = alarmNews.get()
  updateNews({ content, isFlood }, 1_000 * seconds)
  const { high, others } = alarmNews.get()
  const ids = (alarms: readonly WireAlarm[]) => alarms.map(({ id }) => id)
  return [ids(high), others === before.others ? [] : ids(others)]
}

beforeEach(() => {
  const storage = new Map<string, string>()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  })
})
afterEach(() => {
  clearNews()
  vi.unstubAllGlobals()
})

test('speaks a high alarm at once, the others in one sentence a minute, and each once', () => {
  const [medium, low, high] = [alarm(1, 'medium'), alarm(2, 'low'), alarm(3, 'high')]
  expect(spoken(0, [])).toEqual([[], []])
  expect(spoken(1, [medium])).toEqual([[], [1]])
  expect(spoken(2, [high, medium, low])).toEqual([[3], []])
  expect(spoken(13, [high, medium, low])).toEqual([[], []])
  expect(spoken(61, [high, medium, low, alarm(4, 'low')])).toEqual([[], [2, 4]])
  expect(spoken(200, [])).toEqual([[], []])
  expect(spoken(201, [high, { ...medium, count: 2 } as WireAlarm])).toEqual([[], []])
})

test('does not speak what is shelved, acknowledged, cleared or repeats, and in a flood only high alarms', () => {
  spoken(0, [])
  const states = (['shelved', 'acknowledged', 'cleared'] as const).map((state, id) => alarm(id, 'high', { state }))
  expect(spoken(1, [...states, alarm(8, 'high', { isRepeating: true })])).toEqual([[], []])
  expect(spoken(2, [alarm(9, 'high'), alarm(10, 'medium')], true)).toEqual([[9], []])
})

test('says once in a tab that there are older high alarms', () => {
  expect(spoken(0, [alarm(1, 'high'), alarm(2, 'medium')])).toEqual([[], [1]])
  expect(alarmNews.get().areOlder).toBe(true)
  clearNews()
  expect(spoken(1, [alarm(1, 'high'), alarm(2, 'medium')])).toEqual([[], []])
})
