import { readStored, writeStored } from './browserStorage.ts'
import { createStore, useStore } from './store.ts'

/** Which arrivals play a tone. */
export const arrivalTones = ['all', 'violations', 'wanted'] as const
export type ArrivalTone = (typeof arrivalTones)[number]

/** Alarms that can be switched off one by one; true unless the user did. */
type AlarmSounds = {
  /** Wanted vehicles. */
  alarm: boolean
  /** Vehicles on the wrong way. */
  wrongWay: boolean
  /** All other alarms of high priority. */
  highAlarms: boolean
  mediumAlarms: boolean
}
export type AlarmSound = keyof AlarmSounds

/** Sound settings of this device, stored by the browser and shared by its tabs. */
export type Sound = AlarmSounds & {
  /** No arrival tone and no medium alarms; mutes neither wanted vehicles nor high alarms. */
  muted: boolean
  arrivals: ArrivalTone
}

const KEYS = { muted: 'muted', arrivals: 'arrival-tone' }
const ALARM_KEYS: Record<AlarmSound, string> = {
  alarm: 'wanted-alarm',
  wrongWay: 'wrong-way-alarm',
  highAlarms: 'high-alarms',
  mediumAlarms: 'medium-alarms',
}
const ALL_KEYS = [...Object.values(KEYS), ...Object.values(ALARM_KEYS)]

const isOn = (name: AlarmSound) => readStored('local', ALARM_KEYS[name]) !== 'off'

const readSound = (): Sound => ({
  muted: readStored('local', KEYS.muted) === 'true',
  arrivals: arrivalTones.find((tone) => tone === readStored('local', KEYS.arrivals)) ?? 'all',
  alarm: isOn('alarm'),
  wrongWay: isOn('wrongWay'),
  highAlarms: isOn('highAlarms'),
  mediumAlarms: isOn('mediumAlarms'),
})

const sound = createStore(readSound())

export const currentSound = (): Sound => sound.get()
export const useSound = (): Sound => useStore(sound)

/** Changes sound settings. Default values are not stored. */
export function setSound(change: Partial<Sound>): void {
  const next = { ...sound.get(), ...change }
  writeStored('local', KEYS.muted, next.muted ? 'true' : null)
  writeStored('local', KEYS.arrivals, next.arrivals === 'all' ? null : next.arrivals)
  for (const [name, key] of Object.entries(ALARM_KEYS))
    writeStored('local', key, next[name as AlarmSound] ? null : 'off')
  sound.set(next)
}

export const toggleMuted = (): void => setSound({ muted: !sound.get().muted })

/** Follows changes in other tabs. */
export const startSound = (): void =>
  addEventListener('storage', ({ key }) => {
    if (key === null || ALL_KEYS.includes(key)) sound.set(readSound())
  })
