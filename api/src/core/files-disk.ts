import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { assertFreeSpace } from './disk.ts'
import type { Files } from './files.ts'
import { createSemaphore } from './semaphore.ts'
import { StorageUnavailable } from './storage-unavailable.ts'

/** Images show plates and faces: readable only by the user of the server. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Size of libuv's thread pool. */
const THREADS = Number(process.env.UV_THREADPOOL_SIZE ?? 4)
/**
 * A disk call blocks a thread, so a hanging disk could block all. Half of them stay free for password hashing,
 * compression and DNS.
 */
const CONCURRENCY = Math.max(1, Math.floor(THREADS / 2))

/** Files in a local folder, with `reserve` bytes of its disk kept free. Fails after waiting `waitMs` for a thread. */
export function filesOnDisk(root: string, reserve: number, waitMs: number): Files {
  const semaphore = createSemaphore(CONCURRENCY)
  const withSlot = async <T>(work: () => Promise<T>): Promise<T> => {
    const release = await semaphore.acquire(AbortSignal.timeout(waitMs))
    if (!release) throw new StorageUnavailable('The disk does not answer')
    return work().finally(release)
  }
  const files = openFolder(root, reserve)
  return {
    put: (path, bytes) => withSlot(() => files.put(path, bytes)),
    get: (path) => withSlot(() => files.get(path)),
    remove: (path) => withSlot(() => files.remove(path)),
    removeFolder: (folder) => withSlot(() => files.removeFolder(folder)),
  }
}

function openFolder(root: string, reserve: number): Files {
  const isRestricted = restrictAccess(root)
  return {
    async put(path, bytes) {
      const file = join(root, path)
      const folder = dirname(file)
      await isRestricted
      const firstNew = await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
      await assertFreeSpace(folder, reserve)
      // Written to a temporary file and renamed, so that no reader sees a partial file.
      const temporary = `${file}.${randomUUID()}.part`
      try {
        await writeDurably(temporary, bytes)
        await rename(temporary, file)
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
      await syncFolder(folder)
      // The entries of new folders are in their parents.
      if (firstNew) for (let at = folder; at.length >= firstNew.length; at = dirname(at)) await syncFolder(dirname(at))
    },
    get: (path) => readFile(join(root, path)).catch(nullWhereMissing),
    remove: (path) => rm(join(root, path), { force: true }),
    removeFolder: (folder) => rm(join(root, folder), { recursive: true, force: true }),
  }
}

/** Removes access of other users from files of earlier versions; the root first, which suffices for all below. */
async function restrictAccess(root: string): Promise<void> {
  const stats = await stat(root).catch(() => null)
  if (!stats || (stats.mode & 0o077) === 0 || process.platform === 'win32') return
  await chmod(root, FOLDER_MODE).catch(() => {})
  void restrictBelow(root).catch(() => {})
}

async function restrictBelow(folder: string): Promise<void> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name)
    await chmod(path, entry.isDirectory() ? FOLDER_MODE : FILE_MODE).catch(() => {})
    if (entry.isDirectory()) await restrictBelow(path)
  }
}

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', FILE_MODE)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the directory entry durable. Not possible on Windows, nor needed there. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function nullWhereMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
