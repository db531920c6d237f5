import type { NotifiedCache } from './listen.ts'

export type StationKeys = NotifiedCache & {
  /** The station of a key; undefined if it is unknown, revoked or past its last day, or if the station is closed. */
  find: (token: string, at: Date) => Promise<{ locationId: number } | undefined>
}
