import { randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { refuseWhenFull } from './disk.ts'
import type { Files } from './files.ts'

/** Files in a folder of this machine, of whose disk so many bytes stay free. */
export function filesOnDisk(root: string, reserve: number): Files {
  return {
    async put(path, bytes) {
      const place = join(root, path)
      const folder = dirname(place)
      const firstNew = await mkdir(folder, { recursive: true })
      await refuseWhenFull(folder, reserve)
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

async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx')
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
