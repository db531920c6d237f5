import type { VehicleFilters } from '@rogatka/contract/vehicle.ts'
import type { Database } from './database.ts'
import { type LiveList, type Look, sessionKeyAt, sessionOf, type VehicleRef, type Viewer } from './look.ts'
import { createLruCache } from './lru-cache.ts'
import { vehicleKey } from './passage.ts'
import { decrypt } from './secrets.ts'
import type { Session } from './sessions.ts'
import { findOpenLiveVisits } from './trail-queries.ts'
import { FILTERS, SYNC_INTERVAL_MS, VISIT_TIMEOUT_MS } from './trail-visit-lines.ts'

/** Sessions, and vehicles of each, whose images belong to a line: after an eviction the next image gets a line of its own. */
const MAX_SESSIONS = 2_000
const MAX_VEHICLES = 2_000
/** Live lists in other processes are read again after this time. */
const LIVE_LISTS_TTL_MS = 30_000

type Deps = {
  db: Database
  now: () => Date
  /** An instant of this process by the clock of the database. */
  databaseTime: (at: Date) => Date
  key: () => Promise<Buffer>
}

/** Knows which images belong to a line of the access trail that their session has, so that they get none of their own. */
export function createTrailImages({ db, now, databaseTime, key }: Deps) {
  /** Vehicles whose images belong to a line of a session. */
  const covered = createLruCache<Set<string>>(MAX_SESSIONS)
  /** Live lists of sessions: those that this process has seen polled, by visit, and when; and those of all processes. */
  const watched = createLruCache<Map<string, LiveList & { polledAt: number }>>(MAX_SESSIONS)
  const liveLists = createLruCache<Promise<LiveList[]>>(MAX_SESSIONS)

  function watch(viewer: Viewer, visitKey: string, list: LiveList, at: Date): void {
    const sessionKey = sessionKeyAt(viewer, at)
    const lists = watched.get(sessionKey) ?? new Map()
    for (const [key, { polledAt }] of lists) if (at.getTime() - polledAt >= VISIT_TIMEOUT_MS) lists.delete(key)
    lists.set(visitKey, { ...list, polledAt: at.getTime() })
    watched.set(sessionKey, lists)
  }

  function cover(session: Viewer, { vehicle, withImagesOf = [] }: Look, at: Date): void {
    const sessionKey = sessionKeyAt(session, at)
    const keys = covered.get(sessionKey) ?? new Set()
    if (keys.size > MAX_VEHICLES) keys.clear()
    for (const one of [...(vehicle ? [vehicle] : []), ...withImagesOf]) keys.add(vehicleKey(one))
    covered.set(sessionKey, keys)
  }

  /**
   * Whether the images of a vehicle belong to a line that its session has: the answer of this process that gave their
   * address, or a live list that is open in any process and shows the vehicle now. `isLive`: whether it is live, and
   * matches these filters.
   */
  async function covers(
    session: Session,
    vehicle: VehicleRef & { locationId: number },
    isLive: (filters: VehicleFilters) => boolean,
  ): Promise<boolean> {
    const at = now()
    if (covered.get(sessionKeyAt(session, at))?.has(vehicleKey(vehicle))) return true
    if (!isLive({})) return false
    const shows = ({ locationIds, filters }: LiveList) => locationIds.includes(vehicle.locationId) && isLive(filters)
    for (const list of watched.get(sessionKeyAt(session, at))?.values() ?? [])
      if (at.getTime() - list.polledAt < VISIT_TIMEOUT_MS && shows(list)) return true
    const cacheKey = `${session.key} ${Math.floor(at.getTime() / LIVE_LISTS_TTL_MS)}`
    const reading = liveLists.get(cacheKey) ?? openLiveLists(session, at)
    liveLists.set(cacheKey, reading)
    reading.catch(() => liveLists.delete(cacheKey))
    return (await reading).some(shows)
  }

  /** Live lists that a session has open in any process. */
  async function openLiveLists(session: Session, at: Date): Promise<LiveList[]> {
    const since = databaseTime(new Date(at.getTime() - VISIT_TIMEOUT_MS - SYNC_INTERVAL_MS))
    const secret = await key()
    return (await findOpenLiveVisits(db, sessionOf(session), since)).flatMap(({ locationIds, filters }) => {
      // Unreadable if the key has changed: the list covers no image.
      const text = decrypt(secret, filters, FILTERS)
      return text === null ? [] : [{ locationIds, filters: JSON.parse(text) }]
    })
  }

  return { cover, watch, covers }
}
