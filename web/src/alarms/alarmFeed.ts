import { check, list, type WireAlarmList } from '@rogatka/contract/alarms.ts'
import { call } from '../core/call.ts'
import { pause } from '../core/pause.ts'
import { queryClient } from '../core/queryClient.ts'
import { onTabMessage, postToTabs } from '../core/tabs.ts'

/*
 * Reads the open alarms: one tab of the browser polls and sends the list to the others, which poll only when that tab is
 * silent. Of several that poll, the one with the lowest number goes on.
 */

export const ALARM_LIST = ['alarms', 'list']

const POLL_MS = 1_000
/** Request timeout, so that the next poll can start. */
const TIMEOUT_MS = 15_000
/** A tab polls when nothing has come from another for this long. */
const TAKE_OVER_MS = 3_000

/** When the known list was asked for, by the clock of the computer, which all tabs share. */
let knownAt = 0

const knownAlarms = () => queryClient.getQueryData<WireAlarmList>(ALARM_LIST)

/** Keeps a list that was asked for at `at`, unless a newer one is known; returns the list that is kept. */
export function keepAlarms(page: WireAlarmList, at: number): WireAlarmList {
  const known = knownAlarms()
  // No request takes longer than the timeout: then the clock was set.
  if (known && at < knownAt && knownAt - at <= TIMEOUT_MS) return known
  knownAt = at
  return queryClient.setQueryData<WireAlarmList>(ALARM_LIST, page) ?? page
}

/** Reads the list, and keeps it for the lists on the page; the known one, unless it changed. */
export async function readAlarms(signal: AbortSignal, at = Date.now()): Promise<WireAlarmList> {
  const known = knownAlarms()
  const options = { signal, background: true }
  const isCurrent = known && !(await call(check, { query: { version: known.version }, ...options })).refresh
  const page = isCurrent ? known : await call(list, options)
  signal.throwIfAborted()
  return keepAlarms(page, at)
}

/** Receives the open alarms of a user every second until `signal`, and keeps them for the lists on the page. */
export async function followAlarms(
  userId: number,
  receive: (page: WireAlarmList) => void,
  signal: AbortSignal,
): Promise<void> {
  const tab = Math.random()
  let fedAt = Number.NEGATIVE_INFINITY
  const acceptList = (message: { userId: number; tab: number; page: WireAlarmList; at?: number }) => {
    if (message.userId !== userId || signal.aborted) return
    if (message.tab < tab) fedAt = performance.now()
    receive(keepAlarms(message.page, message.at ?? Date.now()))
  }
  onTabMessage({ alarms: acceptList }, signal)
  while (!signal.aborted) {
    const startedAt = performance.now()
    const waiting = fedAt + TAKE_OVER_MS - startedAt
    if (waiting > 0) {
      await pause(waiting + Math.random() * POLL_MS, signal)
      continue
    }
    // The connection state of the page shows that the server is unavailable; what is known stays.
    const at = Date.now()
    const page = await readAlarms(AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]), at).catch(() => null)
    if (page && !signal.aborted) {
      receive(page)
      postToTabs('alarms', { userId, tab, page, at })
    }
    await pause(POLL_MS - (performance.now() - startedAt), signal)
  }
}
