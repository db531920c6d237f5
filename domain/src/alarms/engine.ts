import type { AlarmKind } from '@rogatka/contract/alarms.ts'
import { MINUTE_MS } from '../core/time.ts'
import { type AlarmSource, alarmRules, isVehicleKind } from './kinds.ts'
import { isShelved } from './state.ts'

/** A cause of an alarm that holds now. One alarm per kind and subject. */
export type Condition = {
  kind: AlarmKind
  subject: string
  /** End of the countdown of a vehicle. */
  endsAt?: Date | null
}

/** The fields of a stored alarm on which its changes depend. */
export type StoredAlarm = {
  id: number
  kind: AlarmKind
  subject: string
  clearedAt: Date | null
  acknowledgedAt: Date | null
  endsAt: Date | null
  shelvedUntil: Date | null
  closedAt: Date | null
  /** The last times at which it was raised, oldest first, at most three. */
  raisedTimes: readonly Date[]
}

export type AlarmChange<C extends Condition> =
  | { type: 'raise'; condition: C }
  /** Raised again. `keepsAcknowledgement`: it repeats so often that nobody has to acknowledge it again. */
  | { type: 'repeat'; id: number; condition: C; raisedTimes: Date[]; keepsAcknowledgement: boolean }
  /** `isMissed`: nobody acknowledged it before the countdown of its vehicle ended. */
  | { type: 'clear'; id: number; isMissed: boolean }
  /** The end of its shelving: it is active again. */
  | { type: 'return'; id: number }

/** How long causes have lasted, or have been gone, by kind and subject. In memory only: another leader starts again. */
export type AlarmTimers = ReadonlyMap<string, Date>

/** What each source observes now; a missing one has not reported, so its alarms stay as they are. */
export type Observations<C extends Condition> = ReadonlyMap<AlarmSource, readonly C[]>

/** An alarm that is raised again within this time is the same one. */
export const REPEAT_MS = 10 * MINUTE_MS
const REPEATING = { times: 3, withinMs: MINUTE_MS }

export const keyOf = ({ kind, subject }: Pick<Condition, 'kind' | 'subject'>): string => `${kind} ${subject}`

/** Whether an alarm was raised three times within a minute; it counts as repeating until ten minutes after. */
export function isRepeating(raisedTimes: readonly Date[], now: Date): boolean {
  const [first, last] = [raisedTimes.at(-REPEATING.times), raisedTimes.at(-1)]
  if (!first || !last || raisedTimes.length < REPEATING.times) return false
  return last.getTime() - first.getTime() <= REPEATING.withinMs && now.getTime() - last.getTime() < REPEAT_MS
}

/** The changes of alarms that the observations require. Idempotent: none are left once they were applied. */
export function evaluateAlarms<C extends Condition>(
  alarms: readonly StoredAlarm[],
  observations: Observations<C>,
  timers: AlarmTimers,
  now: Date,
): { changes: AlarmChange<C>[]; timers: Map<string, Date> } {
  const changes: AlarmChange<C>[] = []
  const next = new Map<string, Date>()
  // Of several with one key the last is the current one: earlier ones are closed.
  const byKey = new Map(alarms.toSorted((a, b) => a.id - b.id).map((alarm) => [keyOf(alarm), alarm]))
  /** Whether something has lasted for a time; starts its timer. */
  const hasLasted = (key: string, ms: number) => {
    const since = timers.get(key) ?? now
    next.set(key, since)
    return now.getTime() - since.getTime() >= ms
  }

  const present = new Set<string>()
  for (const condition of [...observations.values()].flat()) {
    const key = keyOf(condition)
    if (present.has(key) || isOver(condition, now)) continue
    present.add(key)
    const alarm = byKey.get(key)
    if (alarm && !alarm.clearedAt) continue
    if (!hasLasted(`+${key}`, alarmRules[condition.kind].delayOnMs)) continue
    next.delete(`+${key}`)
    if (!alarm || !isRecent(alarm, now)) changes.push({ type: 'raise', condition })
    else {
      const raisedTimes = [...alarm.raisedTimes, now].slice(-REPEATING.times)
      const keepsAcknowledgement = isRepeating(raisedTimes, now)
      changes.push({ type: 'repeat', id: alarm.id, condition, raisedTimes, keepsAcknowledgement })
    }
  }

  for (const [key, alarm] of byKey) {
    if (alarm.closedAt) continue
    if (alarm.shelvedUntil && !isShelved(alarm, now)) changes.push({ type: 'return', id: alarm.id })
    if (alarm.clearedAt || present.has(key)) continue
    const { source, delayOffMs } = alarmRules[alarm.kind]
    const hasEnded = isOver(alarm, now)
    if (!hasEnded && !observations.has(source)) continue
    if (!hasEnded && !hasLasted(`-${key}`, delayOffMs)) continue
    next.delete(`-${key}`)
    const isMissed = hasEnded && isVehicleKind(alarm.kind) && alarm.acknowledgedAt === null
    changes.push({ type: 'clear', id: alarm.id, isMissed })
  }
  return { changes, timers: next }
}

const isOver = ({ endsAt }: { endsAt?: Date | null }, now: Date): boolean => endsAt != null && endsAt <= now

/** Whether raising it again continues the alarm instead of starting another. */
const isRecent = ({ closedAt, clearedAt }: StoredAlarm, now: Date): boolean =>
  closedAt === null || (clearedAt !== null && now.getTime() - clearedAt.getTime() < REPEAT_MS)

/**
 * Whether a cleared alarm leaves the list: those of equipment stay until somebody has seen them, and shelved ones until the
 * end of the shelving, so that they stay silent meanwhile.
 */
export const isClosedWhenCleared = (
  alarm: Pick<StoredAlarm, 'kind' | 'acknowledgedAt' | 'shelvedUntil'>,
  now: Date,
): boolean => isVehicleKind(alarm.kind) || (!isShelved(alarm, now) && alarm.acknowledgedAt !== null)
