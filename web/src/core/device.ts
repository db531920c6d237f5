import { readStored, writeStored } from './browserStorage.ts'
import { createStore } from './store.ts'
import { isWallScreen } from './wallScreen.ts'

/** Kept in localStorage, apart from sessions: a reload or a power cut brings the wall screen back. */
const KEY = 'deviceToken'
/** The kept token, once the server refused it. */
const REFUSED = 'deviceTokenRefused'

/** The fragment of the link of a wall screen; fragments reach neither servers nor their logs. */
const LINK = /^#device=([\w-]+)$/

type DeviceState = {
  /** The token of this page's requests; null: it is no wall screen, and its requests are those of the session. */
  token: string | null
  /** The server refused the token: only whether it still does is requested. */
  isRefused: boolean
}

/** The device as which this page was opened (`?wall`). */
export const deviceSession = createStore<DeviceState>({ token: null, isRefused: false })

/** The address of a wall screen with its token. */
export const deviceLink = (token: string): string => `${location.origin}/?wall#device=${token}`

/**
 * Makes a page that was opened as wall screen (`?wall`) that device, by the token of its link or the one kept from
 * before, and removes the token from the address. Sessions of other tabs are untouched.
 */
export function startDevice(): void {
  if (!isWallScreen()) return
  takeToken()
  // Refused again, unless its last day was extended.
  writeStored('local', REFUSED, null)
  deviceSession.set({ token: readStored('local', KEY), isRefused: false })
  // A new link in the same tab does not load the page.
  addEventListener('hashchange', () => takeToken() && location.reload())
}

/** Keeps the token of the address; false if it has none. */
function takeToken(): boolean {
  const [, token] = LINK.exec(location.hash) ?? []
  if (token === undefined) return false
  writeStored('local', KEY, token)
  history.replaceState(history.state, '', location.pathname + location.search)
  return true
}

/** Stops all requests of a device whose token was refused. */
export function refuseDevice(token: string): void {
  if (readStored('local', KEY) === token) writeStored('local', REFUSED, token)
  setRefused(token, true)
}

/** The server accepts a refused token again: its last day was extended. */
export function acceptDevice(token: string): void {
  writeStored('local', REFUSED, null)
  setRefused(token, false)
}

const setRefused = (token: string, isRefused: boolean): void =>
  deviceSession.set((current) =>
    current.token === token && current.isRefused !== isRefused ? { token, isRefused } : current,
  )

/** Deletes the kept token if it was refused: a user signs in, whose `/?wall` is their own. */
export function deleteRefusedToken(): void {
  const token = readStored('local', KEY)
  if (token === null || readStored('local', REFUSED) !== token) return
  writeStored('local', KEY, null)
  writeStored('local', REFUSED, null)
}
