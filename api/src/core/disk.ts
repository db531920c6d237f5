import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { StorageUnavailable } from './storage-unavailable.ts'

const TIMEOUT_MS = 2_000
const asked = new Map<string, Promise<number | null>>()

/**
 * Bytes that can still be written to the disk of a folder; null where the folder is not there or its disk does not answer.
 * Several who ask at once share an answer: a disk that hangs takes no more than one thread.
 */
export async function freeBytes(folder: string): Promise<number | null> {
  const answer = asked.get(folder) ?? ask(folder)
  asked.set(folder, answer)
  const ending = new AbortController()
  const timeout = sleep(TIMEOUT_MS, null, { ref: false, signal: ending.signal })
  timeout.catch(() => {})
  return Promise.race([answer, timeout]).finally(() => ending.abort())
}

const ask = (folder: string): Promise<number | null> =>
  statfs(folder)
    .then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    )
    .finally(() => asked.delete(folder))

/**
 * Refuses what would fill the disk of a folder, while there is room left for all that must go on then: PostgreSQL stops
 * when its log finds none, and with it the live list, sign-ins and the archive.
 */
export async function assertFreeSpace(folder: string, reserve: number): Promise<void> {
  const free = await freeBytes(folder)
  if (free === null || free >= reserve) return
  throw new StorageUnavailable(`${Math.floor(free / 1024 ** 2)} MB are left on the disk of ${folder}`)
}
