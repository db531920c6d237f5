import type { FastifyBaseLogger } from 'fastify'
import { openVisits, prolongVisits, SILENT_MS, type Visit } from '../activity/queries.ts'
import type { Pool } from '../core/database.ts'

/** Screens poll every second; the database hears of it at most so often. */
const WRITE_EVERY_MS = 15_000

/** Who polls: a session, because after a logout the next sign-in is a new visit. */
type Watcher = { userId: number; session: string; ip: string }

type Known = Visit & {
  seenAt: Date
  /** What the database knows of `seenAt`; null as long as this process has not seen the visit open there. */
  writtenAt: Date | null
}

const nameOf = ({ session, ip }: Watcher, locationId: number) => `${session} ${ip} ${locationId}`
const rowOf = ({ userId, locationId, ip }: Visit) => `${userId} ${locationId} ${ip}`

/**
 * Keeps the activity history of who watches which station. Of the polls of one process only the first writes at once;
 * the rest are remembered and written now and then, so that a poll itself stays off the database.
 */
export function createVisits(sql: Pool, log: Pick<FastifyBaseLogger, 'warn'>) {
  const known = new Map<string, Known>()
  const isSilent = ({ seenAt }: Known, now: Date) => now.getTime() - seenAt.getTime() > SILENT_MS

  /** A poll of the list: the visit is opened where this process has not seen it open. */
  async function open(watcher: Watcher, locationIds: readonly number[], now: Date): Promise<void> {
    const unopened = locationIds.filter((locationId) => {
      const visit = known.get(nameOf(watcher, locationId))
      return !visit?.writtenAt || isSilent(visit, now)
    })
    touch(watcher, locationIds, now)
    if (unopened.length === 0) return
    const { userId, ip } = watcher
    const visits = unopened.map((locationId) => ({ userId, locationId, ip }))
    await openVisits(sql, visits, now)
    for (const visit of visits) known.set(nameOf(watcher, visit.locationId), { ...visit, seenAt: now, writtenAt: now })
  }

  /** A poll that asks only whether there is anything new. */
  function touch(watcher: Watcher, locationIds: readonly number[], now: Date): void {
    const { userId, ip } = watcher
    for (const locationId of locationIds) {
      const visit = known.get(nameOf(watcher, locationId))
      if (visit) visit.seenAt = now
      else known.set(nameOf(watcher, locationId), { userId, locationId, ip, seenAt: now, writtenAt: null })
    }
  }

  /** Writes what was seen since the last time, and forgets what was closed elsewhere or fell silent. */
  async function write(now: Date): Promise<void> {
    const seen = [...known].filter(([, { seenAt, writtenAt }]) => !writtenAt || seenAt > writtenAt)
    for (const [name, visit] of known) if (isSilent(visit, now)) known.delete(name)
    if (seen.length === 0) return
    const sent = seen.map(([name, visit]) => ({ ...visit, name }))
    const open = new Set((await prolongVisits(sql, sent)).map(rowOf))
    for (const visit of sent) {
      const entry = known.get(visit.name)
      if (!entry) continue
      if (open.has(rowOf(visit))) entry.writtenAt = visit.seenAt
      else known.delete(visit.name)
    }
  }

  /** Writes every now and then until stopped. */
  function start(now: () => Date): { stop: () => Promise<void> } {
    const failed = (error: unknown) => log.warn({ err: error }, 'visits: could not be written, trying again')
    const timer = setInterval(() => write(now()).catch(failed), WRITE_EVERY_MS).unref()
    return {
      stop: async () => {
        clearInterval(timer)
        await write(now()).catch(failed)
      },
    }
  }

  return { open, touch, write, start }
}

export type Visits = ReturnType<typeof createVisits>
