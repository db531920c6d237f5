import { type AlarmKind, type AlarmPriority, alarmPriorities } from '@rogatka/contract/alarms.ts'
import { DAY_MS } from '../core/time.ts'
import { FLOOD_WINDOW_MS } from './flood.ts'

type RaisedAlarm = { priority: AlarmPriority; raisedAt: Date; acknowledgedAt: Date | null; isMissed: boolean }

const MAX_PER_WINDOW = 10

/** Figures of the alarms that were raised in [from, to), after EEMUA 191 (docs/domain.md, Alarms). */
export function alarmFigures(alarms: readonly RaisedAlarm[], from: Date, to: Date) {
  const windows = Math.max(1, Math.ceil((to.getTime() - from.getTime()) / FLOOD_WINDOW_MS))
  const counts = new Map<number, number>()
  for (const { raisedAt } of alarms) {
    const window = Math.floor((raisedAt.getTime() - from.getTime()) / FLOOD_WINDOW_MS)
    counts.set(window, (counts.get(window) ?? 0) + 1)
  }
  const perWindow = [...counts.values()]
  const seconds = alarms
    .flatMap(({ raisedAt, acknowledgedAt }) =>
      acknowledgedAt ? [(acknowledgedAt.getTime() - raisedAt.getTime()) / 1000] : [],
    )
    .sort((a, b) => a - b)
  const shareOf = (priority: AlarmPriority) => {
    const count = alarms.filter((alarm) => alarm.priority === priority).length
    return { alarms: count, percent: alarms.length > 0 ? (100 * count) / alarms.length : null }
  }
  return {
    alarms: alarms.length,
    perTenMinutes: alarms.length / windows,
    windows,
    windowsOverTen: perWindow.filter((count) => count > MAX_PER_WINDOW).length,
    worstWindow: Math.max(0, ...perWindow),
    priorities: Object.fromEntries(alarmPriorities.map((priority) => [priority, shareOf(priority)])) as Record<
      AlarmPriority,
      ReturnType<typeof shareOf>
    >,
    secondsToAcknowledge: { median: quantile(seconds, 0.5), p95: quantile(seconds, 0.95) },
    acknowledged: seconds.length,
    missed: alarms.filter(({ isMissed }) => isMissed).length,
  }
}

/** Smallest value that at least this share of the sorted values does not exceed; null without values. */
export const quantile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? null

type AlarmSource = { kind: AlarmKind; locationId: number | null }

/** The most frequent alarms by kind and station. */
export function mostFrequent<A extends AlarmSource>(alarms: readonly A[], limit = 10): (A & { alarms: number })[] {
  const groups = Map.groupBy(alarms, ({ kind, locationId }) => `${kind} ${locationId}`)
  return [...groups.values()]
    .flatMap(([first, ...others]) => (first ? [{ ...first, alarms: others.length + 1 }] : []))
    .toSorted((a, b) => b.alarms - a.alarms || a.kind.localeCompare(b.kind, 'en'))
    .slice(0, limit)
}

/** Whether an open alarm has stood for over a day. */
export const isStanding = ({ raisedAt }: { raisedAt: Date }, now: Date): boolean =>
  now.getTime() - raisedAt.getTime() > DAY_MS
