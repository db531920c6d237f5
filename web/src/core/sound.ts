import { readStored, writeStored } from './browserStorage.ts'
import { createStore, useStore } from './store.ts'

/** Which arrivals play a tone. */
export const arrivalTones = ['all', 'violations', 'wanted'] as const
export type ArrivalTone = (typeof arrivalTones)[number]

/** Sound settings of this device, stored by the browser and shared by its tabs. */
export type Sound = {
  /** No arrival tone; does not mute the alarm for wanted vehicles. */
  muted: boolean
  arrivals: ArrivalTone
  /** Whether wanted vehicles play an alarm. */
  alarm: boolean
}

const KEYS = { muted: 'muted', arrivals: 'arrival-tone', alarm: 'wanted-alarm' }

const readSound = (): Sound => ({
  muted: readStored('local', KEYS.muted) === 'true',
  arrivals: arrivalTones.find((tone) => tone === readStored('local', KEYS.arrivals)) ?? 'all',
  alarm: readStored('local', KEYS.alarm) !== 'off',
})

const sound = createStore(readSound())

export const currentSound = (): Sound => sound.get()
export const useSound = (): Sound => useStore(sound)

/** Changes sound settings. Default values are not stored. */
export function setSound(change: Partial<Sound>): void {
  const next = { ...sound.get(), ...change }
  writeStored('local', KEYS.muted, next.muted ? 'true' : null)
  writeStored('local', KEYS.arrivals, next.arrivals === 'all' ? null : next.arrivals)
  writeStored('local', KEYS.alarm, next.alarm ? null : 'off')
  sound.set(next)
}

export const toggleMuted = (): void => setSound({ muted: !sound.get().muted })

/** Follows changes in other tabs. */
export const startSound = (): void =>
  addEventListener('storage', ({ key }) => {
    if (key === null || Object.values(KEYS).includes(key)) sound.set(readSound())
  })
