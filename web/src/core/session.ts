import { createStore, useStore } from './store.ts'
import { readStored, writeStored } from './stored.ts'

type SessionState = {
  token: string | null
  /** Set at login or when the server says that the password is stale; forces /password-expired. */
  mustChangePassword: boolean
  /** Why the last session ended, as a key of the texts of `core`; shown once at the login. */
  ended: SessionEnd | null
}

export type SessionEnd = 'session-inactive' | 'session-dead'

const TOKEN = 'cvToken'
const MUST_CHANGE = 'mustChangePwd'

/** Kept in the tab's own storage: signing in here signs nobody in elsewhere. */
export const session = createStore<SessionState>({
  token: readStored('session', TOKEN),
  mustChangePassword: readStored('session', MUST_CHANGE) === 'true',
  ended: null,
})

export const useSession = (): SessionState => useStore(session)

export function startSession(token: string): void {
  writeStored('session', TOKEN, token)
  writeStored('session', MUST_CHANGE, null)
  session.set({ token, mustChangePassword: false, ended: null })
}

/** Forgets the session on this side; what has to be told to the server was told before. */
export function endSession(ended: SessionEnd | null): void {
  writeStored('session', TOKEN, null)
  writeStored('session', MUST_CHANGE, null)
  session.set({ token: null, mustChangePassword: false, ended })
}

export function setMustChangePassword(must: boolean): void {
  writeStored('session', MUST_CHANGE, must ? 'true' : null)
  session.set((now) => (now.mustChangePassword === must ? now : { ...now, mustChangePassword: must }))
}

export const dismissSessionEnd = (): void => session.set((now) => (now.ended === null ? now : { ...now, ended: null }))
