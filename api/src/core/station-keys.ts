import type { NotifiedCache } from './listen.ts'

export type StationKeys = NotifiedCache & {
  /** The station of a key; undefined if it is unknown, revoked or past its last day, or if the station is closed. */
  find: (token: string, at: Date) => Promise<{ locationId: number } | undefined>
  /** As `find`, without recording that the key was used. */
  check: (token: string, at: Date) => Promise<{ locationId: number } | undefined>
  /** Calls `work` when keys may have changed, until the returned function is called. */
  onChange: (work: () => void) => () => void
}
