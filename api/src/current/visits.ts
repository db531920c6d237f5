import type { FastifyBaseLogger } from 'fastify'
import { extendVisits, openVisits, VISIT_TIMEOUT_MS, type Visit } from '../core/activity-log.ts'
import type { Pool } from '../core/database.ts'

/** Interval between writes of due visits. */
const WRITE_INTERVAL_MS = 15_000

/**
 * Screens poll every second; a visit is written if its row is older than this, with the interval above every 45 s. A
 * visit ends 60 s after the time in its row (`VISIT_TIMEOUT_MS`), so the row is always recent enough.
 */
const REWRITE_AFTER_MS = 40_000

/** A polling session: after a logout the next sign-in is a new visit. */
type Watcher = { userId: number; session: string; ip: string }

type CachedVisit = Visit & {
  seenAt: Date
  /** `seenAt` as stored; null until this process has seen the open row. */
  writtenAt: Date | null
}

const watcherKey = ({ session, ip }: Watcher) => `${session} ${ip}`
const rowKey = ({ userId, locationId, ip }: Visit) => `${userId} ${locationId} ${ip}`

/**
 * Records which user watches which station. Only the first poll writes at once; later ones are cached and written at
 * intervals, so that polls need no database.
 */
export function createVisits(db: Pool, log: Pick<FastifyBaseLogger, 'warn'>) {
  const cache = new Map<string, Map<number, CachedVisit>>()
  const isIdle = ({ seenAt }: CachedVisit, now: Date) => now.getTime() - seenAt.getTime() > VISIT_TIMEOUT_MS

  function visitsOf(watcher: Watcher): Map<number, CachedVisit> {
    const key = watcherKey(watcher)
    const visits = cache.get(key) ?? new Map<number, CachedVisit>()
    cache.set(key, visits)
    return visits
  }

  /** A poll of the list: opens the visits that this process has not seen open. */
  async function open(watcher: Watcher, locationIds: readonly number[], now: Date): Promise<void> {
    const before = visitsOf(watcher)
    const unopened = locationIds.filter((locationId) => {
      const visit = before.get(locationId)
      return !visit?.writtenAt || isIdle(visit, now)
    })
    touch(watcher, locationIds, now)
    if (unopened.length === 0) return
    const { userId, ip } = watcher
    const visits = unopened.map((locationId) => ({ userId, locationId, ip }))
    await openVisits(db, visits, now)
    const opened = visitsOf(watcher)
    for (const visit of visits) opened.set(visit.locationId, { ...visit, seenAt: now, writtenAt: now })
  }

  /** A check for changes: updates the cache only. */
  function touch(watcher: Watcher, locationIds: readonly number[], now: Date): void {
    const { userId, ip } = watcher
    const visits = visitsOf(watcher)
    for (const locationId of locationIds) {
      const visit = visits.get(locationId)
      if (visit) visit.seenAt = now
      else visits.set(locationId, { userId, locationId, ip, seenAt: now, writtenAt: null })
    }
  }

  /** Writes due visits, or all changed ones, and evicts those closed elsewhere or idle. */
  async function write(now: Date, isFinal = false): Promise<void> {
    const all = [...cache.values()].flatMap((visits) => [...visits.values()].map((visit) => ({ visit, visits })))
    const isDue = (writtenAt: Date) => isFinal || now.getTime() - writtenAt.getTime() >= REWRITE_AFTER_MS
    const due = all.filter(({ visit: { seenAt, writtenAt } }) => !writtenAt || (seenAt > writtenAt && isDue(writtenAt)))
    const rows = due.map(({ visit, visits }) => ({ ...visit, visit, visits }))
    for (const { visit, visits } of all) if (isIdle(visit, now)) visits.delete(visit.locationId)
    for (const [key, visits] of cache) if (visits.size === 0) cache.delete(key)
    if (rows.length === 0) return
    const open = new Set((await extendVisits(db, rows)).map(rowKey))
    for (const { visit, visits, ...row } of rows) {
      if (open.has(rowKey(row))) visit.writtenAt = row.seenAt
      else visits.delete(row.locationId)
    }
  }

  /** Writes at intervals until stopped. */
  function start(now: () => Date): { stop: () => Promise<void> } {
    const logFailure = (error: unknown) => log.warn({ err: error }, 'visits: could not be written, retrying')
    const timer = setInterval(() => write(now()).catch(logFailure), WRITE_INTERVAL_MS).unref()
    return {
      stop: async () => {
        clearInterval(timer)
        await write(now(), true).catch(logFailure)
      },
    }
  }

  return { open, touch, write, start }
}

export type Visits = ReturnType<typeof createVisits>
