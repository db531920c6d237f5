import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Files } from './files.ts'
import { filesOnDisk } from './files-disk.ts'
import { filesInS3 } from './files-s3.ts'

/** A store of pictures that takes longer for one is taken for hung: a disk on a network can be, and S3. */
const TIMEOUT_MS = 20_000

/** The store that the configuration asks for: S3-compatible where S3_URL is given, else a folder below DATA_DIR. */
export const openFiles = (
  config: Pick<Config, 's3Url' | 'dataDir' | 'diskReserve'>,
  timeoutMs: number = TIMEOUT_MS,
): Files =>
  withTimeout(
    config.s3Url ? filesInS3(config.s3Url) : filesOnDisk(join(config.dataDir, 'files'), config.diskReserve, timeoutMs),
    timeoutMs,
  )

/** Bounds each call for one file. A folder may take as long as it has files. */
function withTimeout(files: Files, ms: number): Files {
  const bounded = async <T>(work: Promise<T>): Promise<T> => {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(storageError(`no answer within ${ms} ms`)), ms)
    })
    return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
  }
  return {
    put: (path, bytes) => bounded(files.put(path, bytes)),
    get: (path) => bounded(files.get(path)),
    remove: (path) => bounded(files.remove(path)),
    removeFolder: files.removeFolder,
  }
}

/** As the disk itself would say it: callers answer 503 and may come again. */
const storageError = (reason: string) =>
  Object.assign(new Error(`The store of pictures: ${reason}`), { code: 'EIO', syscall: 'write' })
