import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Files } from './files.ts'
import { filesOnDisk } from './files-disk.ts'
import { filesInS3 } from './files-s3.ts'
import { withStorageTimeout } from './storage-timeout.ts'

/** Timeout per image: a network disk or S3 may hang. */
const TIMEOUT_MS = 20_000

/** The configured store: S3-compatible with S3_URL, else a folder below DATA_DIR. */
export const openFiles = (
  config: Pick<Config, 's3Url' | 'dataDir' | 'diskReserve'>,
  timeoutMs: number = TIMEOUT_MS,
): Files =>
  withTimeouts(
    config.s3Url
      ? filesInS3(config.s3Url, timeoutMs)
      : filesOnDisk(join(config.dataDir, 'files'), config.diskReserve, timeoutMs),
    timeoutMs,
  )

/** Adds a timeout to each call for one file; deleting a folder takes as long as it has files. */
function withTimeouts(files: Files, ms: number): Files {
  return {
    put: (path, bytes, options) => withStorageTimeout(files.put(path, bytes, options), ms),
    get: (path) => withStorageTimeout(files.get(path), ms),
    getPart: (path, offset, length) => withStorageTimeout(files.getPart(path, offset, length), ms),
    remove: (path) => withStorageTimeout(files.remove(path), ms),
    removeFolder: files.removeFolder,
  }
}
