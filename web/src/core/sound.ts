import { createStore, useStore } from './store.ts'
import { readStored, writeStored } from './stored.ts'

/** Of which arrivals a tone tells. */
export const arrivalTones = ['all', 'violations', 'wanted'] as const
export type ArrivalTone = (typeof arrivalTones)[number]

/** Sound on this device: kept by the browser and shared by its tabs. */
export type Sound = {
  /** No tone for arrivals. The alarm of wanted vehicles is not muted by it. */
  muted: boolean
  arrivals: ArrivalTone
  /** Whether wanted vehicles have a sound of their own. */
  alarm: boolean
}

const KEYS = { muted: 'muted', arrivals: 'arrival-tone', alarm: 'wanted-alarm' }

const read = (): Sound => ({
  muted: readStored('local', KEYS.muted) === 'true',
  arrivals: arrivalTones.find((tone) => tone === readStored('local', KEYS.arrivals)) ?? 'all',
  alarm: readStored('local', KEYS.alarm) !== 'off',
})

const sound = createStore(read())

export const currentSound = (): Sound => sound.get()
export const useSound = (): Sound => useStore(sound)

/** Changes the sound of this device. What is as it was at first is not stored. */
export function setSound(change: Partial<Sound>): void {
  const next = { ...sound.get(), ...change }
  writeStored('local', KEYS.muted, next.muted ? 'true' : null)
  writeStored('local', KEYS.arrivals, next.arrivals === 'all' ? null : next.arrivals)
  writeStored('local', KEYS.alarm, next.alarm ? null : 'off')
  sound.set(next)
}

export const toggleMuted = (): void => setSound({ muted: !sound.get().muted })

/** Follows changes made in other tabs, for as long as the page lives. */
export const startSound = (): void =>
  addEventListener('storage', ({ key }) => {
    if (key === null || Object.values(KEYS).includes(key)) sound.set(read())
  })
