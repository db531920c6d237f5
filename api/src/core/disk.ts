import { statfs } from 'node:fs/promises'
import { StorageUnavailable } from './storage-unavailable.ts'
import { withTimeout } from './timeout.ts'

const TIMEOUT_MS = 2_000
const pending = new Map<string, Promise<number | null>>()

/**
 * Free bytes on the disk of a folder; null if the folder does not exist or its disk does not respond. Concurrent calls
 * share one request, so that a hanging disk blocks only one thread.
 */
export async function freeBytes(folder: string): Promise<number | null> {
  const result = pending.get(folder) ?? queryFreeBytes(folder)
  pending.set(folder, result)
  return withTimeout(result, TIMEOUT_MS, () => new Error(`no answer within ${TIMEOUT_MS} ms`)).catch(() => null)
}

const queryFreeBytes = (folder: string): Promise<number | null> =>
  statfs(folder)
    .then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    )
    .finally(() => pending.delete(folder))

/**
 * Keeps a reserve of free disk space: PostgreSQL stops when it cannot write its WAL, and with it the live list,
 * sign-ins and the archive.
 * @throws `StorageUnavailable` below the reserve; not if the free space is unknown
 */
export async function assertFreeSpace(folder: string, reserve: number): Promise<void> {
  const free = await freeBytes(folder)
  if (free === null || free >= reserve) return
  throw new StorageUnavailable(`${Math.floor(free / 1024 ** 2)} MB are left on the disk of ${folder}`)
}
