import { currentSound, type Sound } from '../core/sound.ts'
import { playTones, type Tone } from '../core/tones.ts'

const ARRIVAL: Tone[] = [{ hertz: 1_000, seconds: 0.1 }]
/** Rises and falls three times: nobody takes it for an arrival, and it is over within a second. */
const WANTED: Tone[] = Array.from({ length: 6 }, (_, at) => ({ hertz: at % 2 === 0 ? 700 : 1_400, seconds: 0.15 }))

/** New vehicles: how many, and how many of them violate something or are wanted. */
export type Arrivals = { arrived: number; violating: number; wanted: number }

/** What is heard of new vehicles; null: nothing. Muting and the choice of arrivals leave the alarm alone. */
export function toneOf({ arrived, violating, wanted }: Arrivals, sound: Sound): 'alarm' | 'beep' | null {
  if (wanted > 0 && sound.alarm) return 'alarm'
  const told = { all: arrived, violations: violating, wanted: 0 }[sound.arrivals] + wanted
  return told > 0 && !sound.muted ? 'beep' : null
}

/** Tells of new vehicles as this device is set. */
export function notifyArrivals(arrivals: Arrivals): void {
  const tone = toneOf(arrivals, currentSound())
  if (tone) playTones(tone === 'alarm' ? WANTED : ARRIVAL)
}
