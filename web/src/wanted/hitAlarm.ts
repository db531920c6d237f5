import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { currentSound } from '../core/sound.ts'
import { playTones, type Tone } from '../core/tones.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { isUrgent } from './openHits.ts'

/** Six rising and falling tones, within a second; distinct from an arrival. */
const ALARM: Tone[] = Array.from({ length: 6 }, (_, at) => ({ hertz: at % 2 === 0 ? 700 : 1_400, seconds: 0.15 }))
/** The alarm is repeated until somebody takes the hit, or the vehicle has passed. */
export const REPEAT_MS = 10_000

const known = new Set<string>()
let playedAt = Number.NEGATIVE_INFINITY

/** Sounds the alarm for new hits, and again while one waits. Muting arrivals does not silence it. */
export function soundAlarm(hits: readonly WireOpenHit[], repeatMs: number, now = performance.now()): void {
  const urgent = hits.filter((hit) => isUrgent(hit)).map(vehicleKey)
  const isNew = urgent.some((key) => !known.has(key))
  for (const key of urgent) known.add(key)
  if (!isNew && (urgent.length === 0 || now - playedAt < repeatMs)) return
  playedAt = now
  if (currentSound().alarm) playTones(ALARM)
}
