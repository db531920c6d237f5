import type { Files } from '../../core/files.ts'
import type { Owner, World } from './world.ts'

/** A disk that all processes share. A file that is being written when its process dies is not there. */
export function createDisk(world: World, failing: number) {
  const stored = new Map<string, Buffer>()
  const files = (owner: Owner): Files => ({
    put: (path, bytes) =>
      world.call(owner, `file ${path}`, () => {
        if (!world.isCalm && world.random.happens(failing))
          throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
        stored.set(path, Buffer.from(bytes))
      }),
    get: (path) => world.call(owner, `read ${path}`, () => stored.get(path) ?? null),
    getPart: (path, offset, length) =>
      world.call(owner, `read ${path}`, () => stored.get(path)?.subarray(offset, offset + length) ?? null),
    remove: (path) => world.call(owner, `remove ${path}`, () => void stored.delete(path)),
    removeFolder: (folder) =>
      world.call(owner, `remove ${folder}`, () => {
        for (const path of stored.keys()) if (path.startsWith(`${folder}/`)) stored.delete(path)
      }),
  })
  return { files, has: (path: string) => stored.has(path) }
}
