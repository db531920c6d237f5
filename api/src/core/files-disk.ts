import { randomUUID } from 'node:crypto'
import { chmod, mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { assertFreeSpace } from './disk.ts'
import type { Files } from './files.ts'
import { createSemaphore } from './semaphore.ts'
import { StorageUnavailable } from './storage-unavailable.ts'

/** Pictures show plates and faces: for the user of the server alone. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

/** Of Node's own. */
const THREADS = Number(process.env.UV_THREADPOOL_SIZE ?? 4)
/**
 * A call to a disk holds a thread until it is answered: one that hangs would hold them all. Half of them stays free for
 * sign-ins, compression and names of hosts.
 */
const CONCURRENCY = Math.max(1, Math.floor(THREADS / 2))

/** Files in a folder of this machine, of whose disk so many bytes stay free. Whoever waits longer for a thread goes without. */
export function filesOnDisk(root: string, reserve: number, waitMs: number): Files {
  const turns = createSemaphore(CONCURRENCY)
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    const leave = await turns.take(AbortSignal.timeout(waitMs))
    if (!leave) throw new StorageUnavailable('The disk does not answer')
    return work().finally(leave)
  }
  const files = openFolder(root, reserve)
  return {
    put: (path, bytes) => inTurn(() => files.put(path, bytes)),
    get: (path) => inTurn(() => files.get(path)),
    remove: (path) => inTurn(() => files.remove(path)),
    removeFolder: (folder) => inTurn(() => files.removeFolder(folder)),
  }
}

function openFolder(root: string, reserve: number): Files {
  const isClosed = closeToOthers(root)
  return {
    async put(path, bytes) {
      const place = join(root, path)
      const folder = dirname(place)
      await isClosed
      const firstNew = await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
      await assertFreeSpace(folder, reserve)
      // Written aside and renamed, so that nobody ever reads half a file.
      const aside = `${place}.${randomUUID()}.part`
      try {
        await writeDurably(aside, bytes)
        await rename(aside, place)
      } catch (error) {
        await rm(aside, { force: true })
        throw error
      }
      await flushFolder(folder)
      // Those of new folders stand in the folders above.
      if (firstNew) for (let at = folder; at.length >= firstNew.length; at = dirname(at)) await flushFolder(dirname(at))
    },
    get: (path) => readFile(join(root, path)).catch(nullWhereMissing),
    remove: (path) => rm(join(root, path), { force: true }),
    removeFolder: (folder) => rm(join(root, folder), { recursive: true, force: true }),
  }
}

/** Takes the rights of other users away from what an earlier version made; the root first, which is enough for all below. */
async function closeToOthers(root: string): Promise<void> {
  const rights = await stat(root).catch(() => null)
  if (!rights || (rights.mode & 0o077) === 0 || process.platform === 'win32') return
  await chmod(root, FOLDER_MODE).catch(() => {})
  void closeBelow(root).catch(() => {})
}

async function closeBelow(folder: string): Promise<void> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name)
    await chmod(path, entry.isDirectory() ? FOLDER_MODE : FILE_MODE).catch(() => {})
    if (entry.isDirectory()) await closeBelow(path)
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

/** The name too has to outlive a power cut. Windows cannot open a folder, and needs no such thing. */
async function flushFolder(folder: string): Promise<void> {
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
