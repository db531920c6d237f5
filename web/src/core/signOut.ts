import { logout } from '@rogatka/contract/session.ts'
import { call } from './call.ts'
import { clearDrafts } from './drafts.ts'
import { endSession, type SessionEnd, session } from './session.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

/**
 * Ends the session on both sides, in all tabs of its user. When the server is away, it dies there by itself. By hand
 * (null) also the drafts go; a session that ended by itself leaves them for its user.
 */
export async function signOut(ended: SessionEnd | null = null): Promise<void> {
  const { token, userId } = session.get()
  const told = token === null ? null : call(logout, { background: true })
  if (token !== null) postToTabs('session-ended', { token, userId, ended })
  end(ended)
  await told?.catch(() => undefined)
}

function end(ended: SessionEnd | null): void {
  if (ended === null) clearDrafts()
  endSession(ended)
}

/** Signs out with another tab: of the same session, or of another one of the same user. */
export function startSharedSignOut(): void {
  onTabMessage({
    'session-ended': ({ token, userId, ended }) => {
      const own = session.get()
      if (own.token === null) return
      // The server knows already.
      if (own.token === token) end(ended)
      else if (userId !== null && own.userId === userId) void signOut(ended)
    },
  })
}
