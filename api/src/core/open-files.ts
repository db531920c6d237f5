import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Files } from './files.ts'
import { filesOnDisk } from './files-disk.ts'
import { filesInS3 } from './files-s3.ts'
import { withStorageTimeout } from './storage-timeout.ts'

/** A store of pictures that takes longer for one is taken for hung: a disk on a network can be, and S3. */
const TIMEOUT_MS = 20_000

/** The store that the configuration asks for: S3-compatible where S3_URL is given, else a folder below DATA_DIR. */
export const openFiles = (
  config: Pick<Config, 's3Url' | 'dataDir' | 'diskReserve'>,
  timeoutMs: number = TIMEOUT_MS,
): Files =>
  withTimeout(
    config.s3Url
      ? filesInS3(config.s3Url, timeoutMs)
      : filesOnDisk(join(config.dataDir, 'files'), config.diskReserve, timeoutMs),
    timeoutMs,
  )

/** Bounds each call for one file. A folder may take as long as it has files. */
function withTimeout(files: Files, ms: number): Files {
  return {
    put: (path, bytes) => withStorageTimeout(files.put(path, bytes), ms),
    get: (path) => withStorageTimeout(files.get(path), ms),
    remove: (path) => withStorageTimeout(files.remove(path), ms),
    removeFolder: files.removeFolder,
  }
}
