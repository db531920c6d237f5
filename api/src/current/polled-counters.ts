import { isDeepStrictEqual } from 'node:util'
import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import { LRUCache } from 'lru-cache'
import { createCountersJson, createTallies, type Tally } from './counters.ts'
import { KEEP_CHANGES_MS, type Window, type WindowState } from './window.ts'

/** Filters that are counted incrementally; for others all vehicles are counted again. */
const MAX_FILTERS = 2_000
/** Filters that were not polled for longer are evicted; without any poll everything is cleared. */
const IDLE_TTL_MS = 30_000
/** After a longer time changes of the window may no longer be kept. */
const MAX_GAP_MS = KEEP_CHANGES_MS / 2

/** Counters of live vehicles for clients that poll: with many filters each change is counted once, at the next poll. */
export function createPolledCounters() {
  let tallies = createTallies()
  const polled = new LRUCache<string, Tally>({ max: MAX_FILTERS, ttl: IDLE_TTL_MS, updateAgeOnGet: true })
  let counted: { window: Window; state: WindowState; at: Date } | undefined
  let clearTimer: NodeJS.Timeout | undefined

  const clear = () => {
    tallies = createTallies()
    polled.clear()
    counted = undefined
  }

  const update = (window: Window, now: Date) => {
    const [before, state] = [counted, window.state()]
    counted = { window, state, at: now }
    const isKnown = before?.window === window && Math.abs(now.getTime() - before.at.getTime()) < MAX_GAP_MS
    if (isKnown && isDeepStrictEqual(state, before.state)) return
    polled.purgeStale()
    const all = [...polled.values()]
    if (isKnown) tallies.update(window.deltaSince(before.state), all)
    else tallies.reset(window, all)
  }

  /** The counters of all live vehicles that match, encoded. */
  return (window: Window, filters: VehicleFilters, now: Date): string => {
    clearTimer = clearTimer?.refresh() ?? setTimeout(clear, IDLE_TTL_MS).unref()
    update(window, now)
    const key = JSON.stringify(filters)
    const tally = polled.get(key) ?? tallies.create(filters)
    polled.set(key, tally)
    return createCountersJson(window, now)(tally)
  }
}
