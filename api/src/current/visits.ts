import type { FastifyBaseLogger } from 'fastify'
import { extendVisits, openVisits, VISIT_TIMEOUT_MS, type Visit } from '../core/activity-log.ts'
import type { Pool } from '../core/database.ts'

/** How often it is looked for visits that are due. */
const WRITE_EVERY_MS = 15_000

/**
 * Screens poll every second; a visit is written when its row is older than this, which with the timer above means every
 * 45 s. A visit counts as left 60 s after what its row says (`VISIT_TIMEOUT_MS`), so the row is always new enough.
 */
const REWRITE_AFTER_MS = 40_000

/** Who polls: a session, because after a logout the next sign-in is a new visit. */
type Watcher = { userId: number; session: string; ip: string }

type Known = Visit & {
  seenAt: Date
  /** What the database knows of `seenAt`; null as long as this process has not seen the visit open there. */
  writtenAt: Date | null
}

const nameOf = ({ session, ip }: Watcher) => `${session} ${ip}`
const rowOf = ({ userId, locationId, ip }: Visit) => `${userId} ${locationId} ${ip}`

/**
 * Keeps the activity history of who watches which station. Of the polls of one process only the first writes at once;
 * the rest are remembered and written now and then, so that a poll itself stays off the database.
 */
export function createVisits(db: Pool, log: Pick<FastifyBaseLogger, 'warn'>) {
  const known = new Map<string, Map<number, Known>>()
  const isSilent = ({ seenAt }: Known, now: Date) => now.getTime() - seenAt.getTime() > VISIT_TIMEOUT_MS

  function visitsOf(watcher: Watcher): Map<number, Known> {
    const name = nameOf(watcher)
    const visits = known.get(name) ?? new Map<number, Known>()
    known.set(name, visits)
    return visits
  }

  /** A poll of the list: the visit is opened where this process has not seen it open. */
  async function open(watcher: Watcher, locationIds: readonly number[], now: Date): Promise<void> {
    const before = visitsOf(watcher)
    const unopened = locationIds.filter((locationId) => {
      const visit = before.get(locationId)
      return !visit?.writtenAt || isSilent(visit, now)
    })
    touch(watcher, locationIds, now)
    if (unopened.length === 0) return
    const { userId, ip } = watcher
    const visits = unopened.map((locationId) => ({ userId, locationId, ip }))
    await openVisits(db, visits, now)
    const opened = visitsOf(watcher)
    for (const visit of visits) opened.set(visit.locationId, { ...visit, seenAt: now, writtenAt: now })
  }

  /** A poll that asks only whether there is anything new. */
  function touch(watcher: Watcher, locationIds: readonly number[], now: Date): void {
    const { userId, ip } = watcher
    const visits = visitsOf(watcher)
    for (const locationId of locationIds) {
      const visit = visits.get(locationId)
      if (visit) visit.seenAt = now
      else visits.set(locationId, { userId, locationId, ip, seenAt: now, writtenAt: null })
    }
  }

  /** Writes visits that are due, or all that were seen since, and forgets what was closed elsewhere or fell silent. */
  async function write(now: Date, everything = false): Promise<void> {
    const all = [...known.values()].flatMap((visits) => [...visits.values()].map((visit) => ({ visit, visits })))
    const isDue = (writtenAt: Date) => everything || now.getTime() - writtenAt.getTime() >= REWRITE_AFTER_MS
    const seen = all.filter(
      ({ visit: { seenAt, writtenAt } }) => !writtenAt || (seenAt > writtenAt && isDue(writtenAt)),
    )
    const sent = seen.map(({ visit, visits }) => ({ ...visit, visit, visits }))
    for (const { visit, visits } of all) if (isSilent(visit, now)) visits.delete(visit.locationId)
    for (const [name, visits] of known) if (visits.size === 0) known.delete(name)
    if (sent.length === 0) return
    const open = new Set((await extendVisits(db, sent)).map(rowOf))
    for (const { visit, visits, ...was } of sent) {
      if (open.has(rowOf(was))) visit.writtenAt = was.seenAt
      else visits.delete(was.locationId)
    }
  }

  /** Writes every now and then until stopped. */
  function start(now: () => Date): { stop: () => Promise<void> } {
    const failed = (error: unknown) => log.warn({ err: error }, 'visits: could not be written, trying again')
    const timer = setInterval(() => write(now()).catch(failed), WRITE_EVERY_MS).unref()
    return {
      stop: async () => {
        clearInterval(timer)
        await write(now(), true).catch(failed)
      },
    }
  }

  return { open, touch, write, start }
}

export type Visits = ReturnType<typeof createVisits>
