import { readStored, writeStored } from './browserStorage.ts'
import { deleteRefusedToken } from './device.ts'
import { createStore, useStore } from './store.ts'

type SessionState = {
  token: string | null
  /** Set at login or when the server reports an expired password; forces /password-expired. */
  mustChangePassword: boolean
  /** The server opens only the set-up of a second factor; forces /factor-setup. */
  mustSetUpFactor: boolean
  /** Null without a session, and until the server has identified the user. */
  userId: number | null
  /** Why the last session ended, as a text key of `core`; shown once on the login page. */
  ended: SessionEnd | null
}

const SESSION_ENDS = ['session-inactive', 'session-expired'] as const
export type SessionEnd = (typeof SESSION_ENDS)[number]

const TOKEN = 'cvToken'
const MUST_CHANGE = 'mustChangePwd'
const ENDED = 'sessionEnd'

/** The reason for the end of the session is stored as well: a phone reloads a page that was in the background. */
const storedEnd = (): SessionEnd | null => SESSION_ENDS.find((ended) => ended === readStored('session', ENDED)) ?? null

/** Stored in sessionStorage; new tabs request it from others (sharedSession.ts). */
export const session = createStore<SessionState>({
  token: readStored('session', TOKEN),
  mustChangePassword: readStored('session', MUST_CHANGE) === 'true',
  mustSetUpFactor: false,
  userId: null,
  ended: storedEnd(),
})

/** Settles when no sign-out by the user waits for its answer, or leaves for a provider; until then its session may still hold. */
export const signOuts: { settled: Promise<unknown> } = { settled: Promise.resolve() }

export const useSession = (): SessionState => useStore(session)

export function startSession(token: string): void {
  deleteRefusedToken()
  writeStored('session', TOKEN, token)
  writeStored('session', MUST_CHANGE, null)
  writeStored('session', ENDED, null)
  session.set({ token, mustChangePassword: false, mustSetUpFactor: false, userId: null, ended: null })
}

/** Clears the session in this tab. The server is notified before, in signOut.ts. */
export function endSession(ended: SessionEnd | null): void {
  writeStored('session', TOKEN, null)
  writeStored('session', MUST_CHANGE, null)
  writeStored('session', ENDED, ended)
  session.set({ token: null, mustChangePassword: false, mustSetUpFactor: false, userId: null, ended })
}

/** Records the session's user. */
export const setSessionUser = (userId: number): void =>
  session.set((current) => (current.token === null || current.userId === userId ? current : { ...current, userId }))

export function setMustChangePassword(mustChange: boolean): void {
  writeStored('session', MUST_CHANGE, mustChange ? 'true' : null)
  session.set((current) =>
    current.mustChangePassword === mustChange ? current : { ...current, mustChangePassword: mustChange },
  )
}

export const setMustSetUpFactor = (mustSetUpFactor: boolean): void =>
  session.set((current) => (current.mustSetUpFactor === mustSetUpFactor ? current : { ...current, mustSetUpFactor }))

export function dismissSessionEnd(): void {
  writeStored('session', ENDED, null)
  session.set((current) => (current.ended === null ? current : { ...current, ended: null }))
}
