import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { Pool } from '../core/database.ts'
import {
  closeIdleVisits,
  deleteProcess,
  type OpenVisit,
  openVisit,
  syncProcess,
  updateVisits,
  VISIT_TIMEOUT_MS,
  type Watcher,
} from '../core/live-visits.ts'

const SYNC_INTERVAL_MS = 10_000
/**
 * Screens poll every second. A station that this process has not seen polled for this time is written as being left. In
 * the rest of `VISIT_TIMEOUT_MS` every other process synchronises, and continues the visit if it sees polls.
 */
const UNPOLLED_MS = 30_000

/** A station in the live list of a watcher. `isOpen`: the database has an open visit to it. */
type CachedStation = { seenAt: Date; isOpen: boolean }
type CacheEntry = {
  watcher: Watcher
  stations: Map<number, CachedStation>
  /** The stations of open visits, by id. */
  visits: Map<number, readonly number[]>
}

type KnownVisit = Omit<OpenVisit, 'locationIds'> & { entry: CacheEntry | undefined; locationIds: readonly number[] }

const watcherKey = ({ session, ip }: Pick<Watcher, 'session' | 'ip'>) => `${session} ${ip}`
const isOlder = (time: Date, ms: number, now: Date) => now.getTime() - time.getTime() > ms
const isIdle = (seenAt: Date, now: Date) => isOlder(seenAt, VISIT_TIMEOUT_MS, now)
const latest = (...times: (Date | null | undefined)[]) =>
  new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)))

/**
 * Records which user watches which station. Polls are kept in memory; the database is written when stations are added or
 * left, so that a visit costs the same however long it lasts and however many stations it has.
 */
export function createVisits(db: Pool, log: Pick<FastifyBaseLogger, 'warn'>) {
  const process = randomUUID()
  const cache = new Map<string, CacheEntry>()
  const logFailure = (error: unknown) => log.warn({ err: error }, 'visits: could not be written, retrying')
  /** One at a time, so that none writes what another has written. */
  let syncing: Promise<void> = Promise.resolve()

  function stationsOf(watcher: Watcher): Map<number, CachedStation> {
    const key = watcherKey(watcher)
    const entry = cache.get(key) ?? { watcher, stations: new Map(), visits: new Map() }
    cache.set(key, entry)
    return entry.stations
  }

  /** A poll of the list: opens a visit to the stations that this process has not seen open. */
  async function open(watcher: Watcher, locationIds: readonly number[], now: Date): Promise<void> {
    const known = stationsOf(watcher)
    const unopened = locationIds.filter((id) => {
      const station = known.get(id)
      return !station?.isOpen || isIdle(station.seenAt, now)
    })
    // The previous visit ends at its last poll.
    if (unopened.some((id) => known.get(id)?.isOpen)) await sync(now)
    touch(watcher, locationIds, now)
    if (unopened.length === 0) return
    const isLeaving = await openVisit(db, watcher, unopened, process, now)
    const stations = stationsOf(watcher)
    for (const id of unopened) stations.set(id, { seenAt: now, isOpen: true })
    if (isLeaving) await sync(now)
  }

  /** A check for changes: updates the cache only. */
  function touch(watcher: Watcher, locationIds: readonly number[], now: Date): void {
    const stations = stationsOf(watcher)
    for (const id of locationIds) {
      const station = stations.get(id)
      if (station) station.seenAt = now
      else stations.set(id, { seenAt: now, isOpen: false })
    }
  }

  /** An open stream: like a poll of the list, without waiting for the database. */
  function watch(watcher: Watcher, locationIds: readonly number[], now: Date): void {
    open(watcher, locationIds, now).catch(logFailure)
  }

  /**
   * Compares the cache with the open visits: writes the stations that are being left, continues visits that another
   * process does not see polled any more, and evicts idle stations. `isFinal`: leaves all stations; other processes may continue.
   */
  function sync(now: Date, isFinal = false): Promise<void> {
    syncing = syncing.catch(() => {}).then(() => syncOnce(now, isFinal))
    return syncing
  }

  async function syncOnce(now: Date, isFinal: boolean): Promise<void> {
    if (cache.size === 0) return
    const entries = [...cache.values()]
    const sessions = [...new Set(entries.map(({ watcher }) => watcher.session))]
    const known = new Map(entries.flatMap(({ visits }) => [...visits]))
    const open = (await syncProcess(db, process, { sessions, known: [...known.keys()] }, now)).map((visit) => {
      const entry = cache.get(watcherKey(visit))
      return { ...visit, entry, locationIds: visit.locationIds ?? known.get(visit.id) ?? [] }
    })
    const changed = open.flatMap((visit) => changeOf(visit, now, isFinal) ?? [])
    if (changed.length > 0) await updateVisits(db, process, changed)

    for (const { stations, visits } of entries) {
      for (const station of stations.values()) station.isOpen = false
      visits.clear()
    }
    for (const { id, entry, locationIds, leftAt } of open) {
      entry?.visits.set(id, locationIds)
      locationIds.forEach((locationId, index) => {
        const station = entry?.stations.get(locationId)
        const left = leftAt?.[index]
        if (station && !(left && isIdle(left, now))) station.isOpen = true
      })
    }
    for (const [key, { stations }] of cache) {
      for (const [id, { seenAt }] of stations) if (isIdle(seenAt, now)) stations.delete(id)
      if (stations.size === 0) cache.delete(key)
    }
  }

  /** What this process writes of a visit; null if it has nothing to write. */
  function changeOf({ id, entry, locationIds, ...visit }: KnownVisit, now: Date, isFinal: boolean) {
    const isOwn = visit.process === process
    let isSeen = false
    let isChanged = false
    const leftAt = locationIds.map((locationId, index) => {
      const before = visit.leftAt?.[index] ?? null
      if (before && isIdle(before, now)) return before
      const seenAt = entry?.stations.get(locationId)?.seenAt
      const isPolled = seenAt !== undefined && !isFinal && !isOlder(seenAt, UNPOLLED_MS, now)
      isSeen ||= isPolled
      if (isPolled && before && seenAt > before) {
        isChanged = true
        return null
      }
      if (isPolled || !isOwn) return before
      // A station that is not in the cache was opened by a request that failed after its commit.
      const after = latest(before, seenAt, visit.loginAt)
      isChanged ||= after.getTime() !== before?.getTime()
      return after
    })
    if (!isChanged && !(visit.isOrphaned && !isOwn && isSeen)) return null
    return { id, process: visit.process, leftAt: leftAt.some(Boolean) ? leftAt : null }
  }

  /** Synchronises at intervals until stopped. */
  function start(now: () => Date): { stop: () => Promise<void> } {
    const timer = setInterval(() => sync(now()).catch(logFailure), SYNC_INTERVAL_MS).unref()
    return {
      stop: async () => {
        clearInterval(timer)
        await sync(now(), true)
          .then(() => deleteProcess(db, process))
          .catch(logFailure)
      },
    }
  }

  /** Closes the visits that no process sees polled any more. */
  async function closeIdle(now: Date): Promise<void> {
    await sync(now)
    await closeIdleVisits(db, now)
  }

  return { open, touch, watch, sync, closeIdle, start }
}

export type Visits = ReturnType<typeof createVisits>
