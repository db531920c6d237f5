import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Files } from './files.ts'
import { filesOnDisk } from './files-disk.ts'
import { filesInS3 } from './files-s3.ts'

/** The store that the configuration asks for: S3-compatible where S3_URL is given, else a folder below DATA_DIR. */
export const openFiles = (config: Pick<Config, 's3Url' | 'dataDir' | 'diskReserve'>): Files =>
  config.s3Url ? filesInS3(config.s3Url) : filesOnDisk(join(config.dataDir, 'files'), config.diskReserve)
