import { randomBytes } from 'node:crypto'
import type { Pool } from '../core/database.ts'
import { deleteLease, extendLease, takeLease } from './service-queries.ts'

/** A process that gave no sign of life for so long has lost its work to the next. */
const LEASE_MS = 60_000

/**
 * Does work that only one process may do at a time; null if another does it. No connection is held meanwhile: the work
 * waits for foreign servers.
 */
export async function withLease<T>(db: Pool, name: string, work: () => Promise<T>): Promise<T | null> {
  const holder = randomBytes(8).toString('hex')
  if (!(await takeLease(db, name, holder, LEASE_MS))) return null
  const renewal = setInterval(() => void extendLease(db, name, holder, LEASE_MS).catch(() => {}), LEASE_MS / 3)
  renewal.unref()
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    // Without the database the lease ends by itself.
    await deleteLease(db, name, holder).catch(() => {})
  }
}
