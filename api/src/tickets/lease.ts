import { randomBytes } from 'node:crypto'
import type { Pool } from '../core/database.ts'
import { acquireLease, deleteLease, extendLease } from './service-queries.ts'

/** A lease not renewed for this time passes to another process. */
const LEASE_MS = 60_000

/**
 * Runs work that only one process may do at a time; null if another has the lease. Holds no connection, as the work
 * waits for remote servers.
 */
export async function withLease<T>(db: Pool, name: string, work: () => Promise<T>): Promise<T | null> {
  const holder = randomBytes(8).toString('hex')
  if (!(await acquireLease(db, name, holder, LEASE_MS))) return null
  const renewal = setInterval(() => void extendLease(db, name, holder, LEASE_MS).catch(() => {}), LEASE_MS / 3)
  renewal.unref()
  try {
    return await work()
  } finally {
    clearInterval(renewal)
    // If the database is unavailable, the lease expires.
    await deleteLease(db, name, holder).catch(() => {})
  }
}
