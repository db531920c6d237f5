import { currentSound, type Sound } from '../core/sound.ts'
import { playTones, type Tone } from '../core/tones.ts'

const ARRIVAL: Tone[] = [{ hertz: 1_000, seconds: 0.1 }]

/** Numbers of new vehicles, and of those with violations or on a black list. */
export type Arrivals = { arrived: number; violating: number; wanted: number }

/** Whether new vehicles play a tone. A wanted one does not if the alarm sounds for it, on every page. */
export function playsTone(
  { arrived, violating, wanted }: Arrivals,
  sound: Pick<Sound, 'muted' | 'arrivals' | 'alarm'>,
): boolean {
  if (sound.muted || (wanted > 0 && sound.alarm)) return false
  return { all: arrived, violations: violating, wanted: 0 }[sound.arrivals] + wanted > 0
}

/** Plays the tone for new vehicles, by the settings of this device. */
export function notifyArrivals(arrivals: Arrivals): void {
  if (playsTone(arrivals, currentSound())) playTones(ARRIVAL)
}
