import type { SessionEnd } from './session.ts'

/*
 * Messages between the tabs of one browser, by a BroadcastChannel: the browser delivers them to pages of this origin
 * only. A browser without it, or one that forbids it, has tabs that know nothing of each other.
 */

/** All messages; `userId` is null while a tab does not know its user yet. */
type TabMessages = {
  /** A new tab without a session asks for one; `tab` is its own random name. */
  'session-wanted': { tab: string }
  /** The answer of a signed-in tab; ms since the last activity of its user. */
  'session-offered': { tab: string; token: string; idleMs: number }
  /** A tab signed out, for this reason (null: by hand). */
  'session-ended': { token: string; userId: number | null; ended: SessionEnd | null }
  /** The user did something in a tab. */
  active: { userId: number }
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

/** Sends a message to all other tabs. */
export const postToTabs = <K extends Kind>(kind: K, message: TabMessages[K]): void =>
  channel?.postMessage({ kind, ...message })

/** Handles the messages of other tabs for as long as the page lives. */
export function onTabMessage(handlers: Handlers): void {
  channel?.addEventListener('message', ({ data, origin }: MessageEvent) => {
    // An older or a newer page of this portal may be open in another tab: unknown messages are ignored.
    if (origin !== location.origin || typeof data !== 'object' || data === null) return
    handlers[(data as { kind: Kind }).kind]?.(data as never)
  })
}
