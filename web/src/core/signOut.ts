import { logout } from '@rogatka/contract/session.ts'
import { call } from './call.ts'
import { endSession, type SessionEnd, session } from './session.ts'

/** Ends the session on both sides. When the server is away, it dies there by itself. */
export async function signOut(ended: SessionEnd | null = null): Promise<void> {
  const told = session.get().token === null ? null : call(logout, { background: true })
  endSession(ended)
  await told?.catch(() => undefined)
}
