import { randomUUID } from 'node:crypto'
import { chmod, type FileHandle, mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
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
    put: (path, bytes, options) => withSlot(() => files.put(path, bytes, options)),
    get: (path) => withSlot(() => files.get(path)),
    getPart: (path, offset, length) => withSlot(() => files.getPart(path, offset, length)),
    remove: (path) => withSlot(() => files.remove(path)),
    removeFolder: (folder) => withSlot(() => files.removeFolder(folder)),
  }
}

function openFolder(root: string, reserve: number): Files {
  const isRestricted = restrictAccess(root)
  return {
    async put(path, bytes, { flush = true } = {}) {
      const file = join(root, path)
      const folder = dirname(file)
      await isRestricted
      const firstNew = await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
      await assertFreeSpace(folder, reserve)
      if (!flush) await replace(file, bytes)
      else if (!(await createDurably(file, bytes))) {
        await replace(file, bytes, (written) => written.datasync())
        await syncFolder(folder)
      }
      // The entries of new folders are in their parents.
      if (firstNew) for (let at = folder; at.length >= firstNew.length; at = dirname(at)) await syncFolder(dirname(at))
    },
    get: (path) => readFile(join(root, path)).catch(nullIf('ENOENT')),
    async getPart(path, offset, length) {
      const file = await open(join(root, path), 'r').catch(nullIf('ENOENT'))
      if (!file) return null
      try {
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, offset)
        return buffer.subarray(0, bytesRead)
      } finally {
        await file.close()
      }
    },
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

/**
 * Creates a file, and flushes its data and its folder at the same time: one commit of the journal of the file system.
 * False if it exists.
 */
async function createDurably(path: string, bytes: Uint8Array): Promise<boolean> {
  const file = await open(path, 'wx', FILE_MODE).catch(nullIf('EEXIST'))
  if (!file) return false
  try {
    await file.writeFile(bytes)
    await Promise.all([file.datasync(), syncFolder(dirname(path))])
  } catch (error) {
    // Not deleted: by now another put may have replaced it.
    await file.truncate().catch(() => {})
    throw error
  } finally {
    await file.close()
  }
  return true
}

/** Writes a temporary file and renames it, so that no reader sees a partial file. */
async function replace(
  path: string,
  bytes: Uint8Array,
  flush: (written: FileHandle) => Promise<void> = async () => {},
): Promise<void> {
  const temporary = `${path}.${randomUUID()}.part`
  try {
    const file = await open(temporary, 'wx', FILE_MODE)
    try {
      await file.writeFile(bytes)
      await flush(file)
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
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

const nullIf = (code: string) => (error: NodeJS.ErrnoException) => {
  if (error.code === code) return null
  throw error
}
