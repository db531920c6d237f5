import { currentSound, type Sound } from '../core/sound.ts'
import { playTones, type Tone } from '../core/tones.ts'

const ARRIVAL: Tone[] = [{ hertz: 1_000, seconds: 0.1 }]
/** Six rising and falling tones, within a second; distinct from an arrival. */
const WANTED: Tone[] = Array.from({ length: 6 }, (_, at) => ({ hertz: at % 2 === 0 ? 700 : 1_400, seconds: 0.15 }))

/** Numbers of new vehicles, and of those with violations or on a black list. */
export type Arrivals = { arrived: number; violating: number; wanted: number }

/** The tone for new vehicles; null: none. Muting and the arrival setting do not affect the alarm. */
export function toneOf({ arrived, violating, wanted }: Arrivals, sound: Sound): 'alarm' | 'beep' | null {
  if (wanted > 0 && sound.alarm) return 'alarm'
  const count = { all: arrived, violations: violating, wanted: 0 }[sound.arrivals] + wanted
  return count > 0 && !sound.muted ? 'beep' : null
}

/** Plays the tone for new vehicles, by the settings of this device. */
export function notifyArrivals(arrivals: Arrivals): void {
  const tone = toneOf(arrivals, currentSound())
  if (tone) playTones(tone === 'alarm' ? WANTED : ARRIVAL)
}
