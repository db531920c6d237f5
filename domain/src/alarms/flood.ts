import type { AlarmPriority } from '@rogatka/contract/alarms.ts'
import { MINUTE_MS } from '../core/time.ts'

export const FLOOD_WINDOW_MS = 10 * MINUTE_MS
/** More new alarms than this in the window begin a flood; fewer than this end it. */
const FLOOD = { over: 10, under: 5 }

/** How many alarms were raised in the ten minutes before now. */
export const raisedLately = (raised: readonly Date[], now: Date): number =>
  raised.filter((at) => at <= now && now.getTime() - at.getTime() < FLOOD_WINDOW_MS).length

/**
 * Whether an operator has a flood of alarms: from over ten new ones in ten minutes until there are under five. `raised`:
 * when alarms were raised, for as long as a flood may last, in any order.
 */
export function isFlood(raised: readonly Date[], now: Date): boolean {
  const times = raised.map((at) => at.getTime()).filter((at) => at <= now.getTime())
  times.sort((a, b) => a - b)
  let flood = false
  let first = 0
  for (const [index, at] of times.entries()) {
    // Between two alarms the number in the window only falls: it is lowest just before this one.
    while ((times[first] as number) <= at - FLOOD_WINDOW_MS) first++
    const before = index - first
    if (before < FLOOD.under) flood = false
    if (before + 1 > FLOOD.over) flood = true
  }
  return flood && raisedLately(raised, now) >= FLOOD.under
}

/** Whether an alarm makes no sound. High ones always do, but for one that repeats. */
export const isSilent = (
  { priority, isRepeating }: { priority: AlarmPriority; isRepeating: boolean },
  isFlood: boolean,
): boolean => priority === 'low' || isRepeating || (isFlood && priority === 'medium')
