import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import { recentKeys } from '../core/recentKeys.ts'
import { currentSound } from '../core/sound.ts'
import { onTabMessage, postToTabs } from '../core/tabs.ts'
import { mayPlayTones, playInOneTab, type Tone } from '../core/tones.ts'
import { vehicleKey } from '../ui/vehicle/vehicleKey.ts'
import { isUrgent } from './openHits.ts'

/** Six rising and falling tones, within a second; distinct from an arrival. */
const ALARM: Tone[] = Array.from({ length: 6 }, (_, at) => ({ hertz: at % 2 === 0 ? 700 : 1_400, seconds: 0.15 }))
/** The alarm is repeated until somebody takes the hit, or the vehicle has passed. */
export const REPEAT_MS = 10_000

/**
 * Sounds the alarm of a user or a device (`id`) for new hits, and again while one is urgent (`isUrgent`), in one tab of the
 * browser, until `signal`. Muting arrivals does not silence it.
 */
export function startHitAlarm(
  id: number,
  repeatMs: number,
  signal: AbortSignal,
): (hits: readonly WireOpenHit[]) => void {
  let known: ReadonlyMap<string, number> = new Map()
  let playedAt = Number.NEGATIVE_INFINITY
  const recordSounded = ({ userId }: { userId: number }) => {
    if (userId === id) playedAt = performance.now()
  }
  onTabMessage({ 'hit-sounded': recordSounded }, signal)
  return (hits) => {
    const now = performance.now()
    const urgent = hits.filter((hit) => isUrgent(hit)).map(vehicleKey)
    const isNew = urgent.some((key) => !known.has(key))
    known = recentKeys(urgent, now, known)
    if (!isNew && (urgent.length === 0 || now - playedAt < repeatMs)) return
    playedAt = now
    if (!currentSound().alarm || !mayPlayTones()) return
    postToTabs('hit-sounded', { userId: id })
    void playInOneTab(`hits-${id}`, ALARM)
  }
}
