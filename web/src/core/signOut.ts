import { logout } from '@rogatka/contract/session.ts'
import { call } from './call.ts'
import { clearDrafts } from './drafts.ts'
import { endSession, type SessionEnd, session, signOuts } from './session.ts'
import { onTabMessage, postToTabs } from './tabs.ts'

/**
 * Ends the session on the server and in all tabs of the user; without a connection it expires on the server. A manual
 * sign-out (null) also deletes drafts, and leaves for the provider that signed the user in, which ends its own session; an
 * automatic one keeps them for the user. Until it is known whether to leave, and while the page is being left, nobody
 * can sign in through a provider, whose session is still that of the previous user (`signOuts`).
 */
export function signOut(ended: SessionEnd | null = null): void {
  const closing = close(ended)
  // After an automatic sign-out the reason stays on the page.
  if (ended === null) signOuts.settled = Promise.all([signOuts.settled, closing.then(leave)])
}

/** Settles if the page stays, or when the user comes back to it. */
function leave(answer: Awaited<ReturnType<typeof close>>): unknown {
  // Meanwhile somebody may have signed in.
  if (!answer || session.get().token !== null) return
  location.assign(answer.providerAddress)
  return new Promise<void>((resolve) => addEventListener('pageshow', () => resolve()))
}

async function close(ended: SessionEnd | null) {
  const { token, userId } = session.get()
  const request = token === null ? undefined : call(logout, { background: true })
  if (token !== null) postToTabs('session-ended', { token, userId, ended })
  end(ended)
  return request?.catch(() => undefined)
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
      else if (userId !== null && own.userId === userId) void close(ended)
    },
  })
}
