import type { AlarmKind, AlarmPriority, AlarmState } from '@rogatka/contract/alarms.ts'
import { MINUTE_MS } from '../core/time.ts'
import { alarmRules } from './kinds.ts'

type Status = { clearedAt: Date | null; acknowledgedAt: Date | null; shelvedUntil: Date | null }

export const isShelved = ({ shelvedUntil }: Pick<Status, 'shelvedUntil'>, now: Date): boolean =>
  shelvedUntil !== null && shelvedUntil > now

/** State of an open alarm, or the last one of a closed one. */
export function alarmState(alarm: Status, now: Date): AlarmState {
  if (isShelved(alarm, now)) return 'shelved'
  if (alarm.clearedAt) return 'cleared'
  return alarm.acknowledgedAt ? 'acknowledged' : 'active'
}

const PRIORITIES: Record<AlarmPriority, number> = { high: 0, medium: 1, low: 2 }

type Sortable = { state: AlarmState; priority: AlarmPriority; raisedAt: Date; id: number }

/** Order of attention: what nobody acknowledged first, then by priority, newest first. */
export const compareAlarms = (a: Sortable, b: Sortable): number =>
  Number(isSeen(a)) - Number(isSeen(b)) ||
  PRIORITIES[a.priority] - PRIORITIES[b.priority] ||
  b.raisedAt.getTime() - a.raisedAt.getTime() ||
  b.id - a.id

const isSeen = ({ state }: Pick<Sortable, 'state'>): boolean => state === 'acknowledged' || state === 'shelved'

/** Longest shelving of a kind in minutes; null: never. */
export const maxShelfMinutes = (kind: AlarmKind): number | null => alarmRules[kind].maxShelfMs / MINUTE_MS || null

/** By how much the clocks of browser and server may differ. */
const CLOCK_TOLERANCE_MS = MINUTE_MS

/** Why an alarm cannot be shelved until a time; null if it can. */
export function shelfError(
  kind: AlarmKind,
  until: Date,
  now: Date,
): 'alarm-never-shelved' | 'shelf-too-long' | 'shelf-in-the-past' | null {
  const { maxShelfMs } = alarmRules[kind]
  if (maxShelfMs === 0) return 'alarm-never-shelved'
  if (until <= now) return 'shelf-in-the-past'
  return until.getTime() - now.getTime() > maxShelfMs + CLOCK_TOLERANCE_MS ? 'shelf-too-long' : null
}
