import { readStored, writeStored } from './browserStorage.ts'

/*
 * Wall screens (`/?wall`): nobody clicks on them, so what fails there reloads itself.
 */

const TIMEOUT_MS = 10_000
const FAILED_SINCE = 'wall-failed-since'

type Address = { pathname: string; search: string }

/** Whether an address, by default that of this page, is a wall screen. */
export const isWallScreen = ({ pathname, search }: Address = location): boolean =>
  pathname === '/' && new URLSearchParams(search).has('wall')

/** Reloads the page, unless the server is unavailable: the browser would show an error page, which stays. */
export async function reloadWhenReachable(): Promise<void> {
  const response = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null)
  if (response?.ok) location.reload()
}

/** Time of the first failure since the screen last worked, ms by the computer's clock; kept when it reloads. */
export function wallFailedSince(now = Date.now()): number {
  const stored = Number(readStored('session', FAILED_SINCE))
  if (stored > 0 && stored <= now) return stored
  writeStored('session', FAILED_SINCE, String(now))
  return now
}

/** The screen works. */
export const clearWallFailure = (): void => writeStored('session', FAILED_SINCE, null)
