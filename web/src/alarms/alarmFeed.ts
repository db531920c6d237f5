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

/** The list: the known one, unless it changed. */
export async function readAlarms(signal: AbortSignal): Promise<WireAlarmList> {
  const known = queryClient.getQueryData<WireAlarmList>(ALARM_LIST)
  const options = { signal, background: true }
  if (known && !(await call(check, { query: { version: known.version }, ...options })).refresh) return known
  return call(list, options)
}

/** Receives the open alarms of a user every second until `signal`, and keeps them for the lists on the page. */
export async function followAlarms(
  userId: number,
  receive: (page: WireAlarmList) => void,
  signal: AbortSignal,
): Promise<void> {
  const tab = Math.random()
  let fedAt = Number.NEGATIVE_INFINITY
  const accept = (page: WireAlarmList) => {
    if (!signal.aborted) receive(queryClient.setQueryData<WireAlarmList>(ALARM_LIST, page) ?? page)
  }
  const accepted = (message: { userId: number; tab: number; page: WireAlarmList }) => {
    if (message.userId !== userId) return
    if (message.tab < tab) fedAt = performance.now()
    accept(message.page)
  }
  onTabMessage({ alarms: accepted }, signal)
  while (!signal.aborted) {
    const startedAt = performance.now()
    const waiting = fedAt + TAKE_OVER_MS - startedAt
    if (waiting > 0) {
      await pause(waiting + Math.random() * POLL_MS, signal)
      continue
    }
    // The connection state of the page shows that the server is away; what is known stays.
    const page = await readAlarms(AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])).catch(() => null)
    if (page && !signal.aborted) {
      accept(page)
      postToTabs('alarms', { userId, tab, page })
    }
    await pause(POLL_MS - (performance.now() - startedAt), signal)
  }
}
