import type { WireAlarmList } from '@rogatka/contract/alarms.ts'
import type { WireOpenHit } from '@rogatka/contract/wanted-hits.ts'
import type { SessionEnd } from './session.ts'

/*
 * Messages between the tabs of a browser by BroadcastChannel, which delivers to the same origin only. Without it, tabs
 * work independently.
 */

/** All messages; `userId` is null while a tab has not identified its user. */
type TabMessages = {
  /** A new tab requests a session; `tab` is its random id. */
  'session-requested': { tab: string }
  /** Response of a signed-in tab; ms since its user's last activity. */
  'session-offered': { tab: string; token: string; idleMs: number }
  /** A tab signed out; `ended` null: manually. */
  'session-ended': { token: string; userId: number | null; ended: SessionEnd | null }
  /** The user was active in a tab, at `at` in ms since the epoch; earlier releases send the message at once, without it. */
  active: { userId: number; at?: number }
  /** A tab asks the one that receives the open hits of its user. */
  'hits-requested': { userId: number }
  /** The open hits of a user, as received by one tab for all; `isCleared`: their rights have changed. */
  hits: { userId: number; content: WireOpenHit[]; isCleared?: boolean }
  /**
   * The alarms of a user, as read by one tab for all; `tab` is its random number, `at` when it asked, in ms since the epoch;
   * earlier releases send the message without it.
   */
  alarms: { userId: number; tab: number; page: WireAlarmList; at?: number }
  /** A tab has sounded high alarms. */
  'alarm-sounded': { userId: number }
  /** A tab has sounded the alarm of a wanted vehicle. */
  'hit-sounded': { userId: number }
}
type Kind = keyof TabMessages

type Handlers = { [K in Kind]?: (message: TabMessages[K]) => void }

const CHANNEL = 'rogatka-tabs'
const channel = openChannel()

function openChannel(): BroadcastChannel | null {
  try {
    return new BroadcastChannel(CHANNEL)
  } catch {
    return null
  }
}

export const postToTabs = <K extends Kind>(kind: K, message: TabMessages[K]): void =>
  channel?.postMessage({ kind, ...message })

/** Handles messages of other tabs, until `signal`. */
export function onTabMessage(handlers: Handlers, signal?: AbortSignal): void {
  const handle = ({ data, origin }: MessageEvent) => {
    // Other tabs may run an older or newer release: unknown messages are ignored.
    if (origin !== location.origin || typeof data !== 'object' || data === null) return
    handlers[(data as { kind: Kind }).kind]?.(data as never)
  }
  channel?.addEventListener('message', handle, signal && { signal })
}
