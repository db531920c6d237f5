import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const load = async () => {
  vi.resetModules()
  return import('./sound.ts')
}

const ALL_ALARMS = { alarm: true, wrongWay: true, highAlarms: true, mediumAlarms: true }

beforeEach(() => {
  const storage = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => storage.set(key, value),
    removeItem: (key: string) => storage.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('sound is on for all arrivals and the alarm unless this device says otherwise', async () => {
  const { currentSound } = await load()
  expect(currentSound()).toEqual({ muted: false, arrivals: 'all', ...ALL_ALARMS })
})

test('the settings of a device survive a reload, and muting leaves the alarm on', async () => {
  const { setSound, toggleMuted } = await load()
  setSound({ arrivals: 'violations' })
  toggleMuted()
  expect((await load()).currentSound()).toEqual({ muted: true, arrivals: 'violations', ...ALL_ALARMS })
  setSound({ alarm: false, mediumAlarms: false })
  const stored = { ...ALL_ALARMS, alarm: false, mediumAlarms: false }
  expect((await load()).currentSound()).toMatchObject(stored)
})

test('an unknown stored value counts as the default', async () => {
  localStorage.setItem('arrival-tone', 'loud')
  expect((await load()).currentSound().arrivals).toBe('all')
})

test('follows a change in another tab', async () => {
  const listeners: ((event: { key: string | null }) => void)[] = []
  vi.stubGlobal('addEventListener', (_type: string, listener: (typeof listeners)[number]) => listeners.push(listener))
  const { currentSound, startSound } = await load()
  startSound()
  localStorage.setItem('muted', 'true')
  for (const listener of listeners) listener({ key: 'muted' })
  expect(currentSound().muted).toBe(true)
})
