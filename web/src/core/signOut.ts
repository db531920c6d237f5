import { logout } from '@rogatka/contract/session.ts'
import { call } from './call.ts'
import { clearDrafts } from './drafts.ts'
import { endSession, type SessionEnd, session } from './session.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

/**
 * Ends the session on the server and in all tabs of the user; without a connection it expires on the server. A manual
 * sign-out (null) also deletes drafts; an automatic one keeps them for the user.
 */
export async function signOut(ended: SessionEnd | null = null): Promise<void> {
  const { token, userId } = session.get()
  const request = token === null ? null : call(logout, { background: true })
  if (token !== null) postToTabs('session-ended', { token, userId, ended })
  end(ended)
  await request?.catch(() => undefined)
}

function end(ended: SessionEnd | null): void {
  if (ended === null) clearDrafts()
  endSession(ended)
}

/** Signs out when another tab does: with the same session, or another one of the same user. */
export function startSharedSignOut(): void {
  onTabMessage({
    'session-ended': ({ token, userId, ended }) => {
      const own = session.get()
      if (own.token === null) return
      // The server was notified by the other tab.
      if (own.token === token) end(ended)
      else if (userId !== null && own.userId === userId) void signOut(ended)
    },
  })
}
