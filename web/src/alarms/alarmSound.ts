import type { WireAlarm } from '@rogatka/contract/alarms.ts'
import { recentKeys } from '../core/recentKeys.ts'
import { currentSound, type Sound } from '../core/sound.ts'
import { onTabMessage, postToTabs } from '../core/tabs.ts'
import { canPlayTones, playInOneTab, type Tone } from '../core/tones.ts'

/** Unlike the six of a wanted vehicle: four falling tones within a second, and two lower ones. */
const TONES: Record<DueSound, Tone[]> = {
  high: [980, 780, 980, 780].map((hertz) => ({ hertz, seconds: 0.2 })),
  medium: [620, 520].map((hertz) => ({ hertz, seconds: 0.15 })),
}
/** High alarms sound again until somebody acknowledges them. */
const REPEAT_MS = 10_000

type DueSound = 'high' | 'medium'
type AlarmForSound = Pick<WireAlarm, 'id' | 'kind' | 'priority' | 'state' | 'count' | 'isSilent'>

/** An alarm that is raised again, or returns from the shelf, is a new one. */
const keyOf = ({ id, count }: AlarmForSound) => `${id} ${count}`

function isWanted({ kind, priority }: AlarmForSound, sound: Sound): boolean {
  if (kind === 'wrong-way') return sound.wrongWay
  return priority === 'high' ? sound.highAlarms : sound.mediumAlarms && !sound.muted
}

/**
 * The sounds that are due: high alarms when they are new and as long as they are active, every ten seconds; medium ones when
 * they are new. `known`: the keys of the alarms that were active lately; null at first, when only high ones sound.
 */
export function dueSounds(
  alarms: readonly AlarmForSound[],
  known: ReadonlyMap<string, number> | null,
  sinceHighMs: number,
  sound: Sound,
): DueSound[] {
  const sounding = alarms.filter((alarm) => alarm.state === 'active' && !alarm.isSilent && isWanted(alarm, sound))
  const isNew = (alarm: AlarmForSound) => known !== null && !known.has(keyOf(alarm))
  const high = sounding.filter(({ priority }) => priority === 'high')
  const due: DueSound[] = []
  if (high.some(isNew) || (high.length > 0 && sinceHighMs >= REPEAT_MS)) due.push('high')
  if (sounding.some((alarm) => alarm.priority === 'medium' && isNew(alarm))) due.push('medium')
  return due
}

/** Keys of the alarms that were active lately, at `now` in ms; one that is shelved is new when it returns. */
export function activeKeys(
  alarms: readonly AlarmForSound[],
  now: number,
  before?: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const keys = new Map(recentKeys(alarms.filter(({ state }) => state === 'active').map(keyOf), now, before))
  for (const alarm of alarms) if (alarm.state === 'shelved') keys.delete(keyOf(alarm))
  return keys
}

/** Sounds the alarms of a user as they come, in one tab of the browser, until `signal`. */
export function startAlarmSound(userId: number, signal: AbortSignal): (alarms: readonly WireAlarm[]) => void {
  let known: ReadonlyMap<string, number> | null = null
  let playedAt = Number.NEGATIVE_INFINITY
  const recordSounded = (message: { userId: number }) => {
    if (message.userId === userId) playedAt = performance.now()
  }
  onTabMessage({ 'alarm-sounded': recordSounded }, signal)
  return (alarms) => {
    const now = performance.now()
    const due = dueSounds(alarms, known, now - playedAt, currentSound())
    known = activeKeys(alarms, now, known ?? undefined)
    if (due.length === 0 || !canPlayTones()) return
    if (due.includes('high')) {
      playedAt = now
      postToTabs('alarm-sounded', { userId })
    }
    void playInOneTab(
      `alarms-${userId}`,
      due.flatMap((priority) => TONES[priority]),
    )
  }
}
