import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { MAX_IMPORT_BYTES } from '@rogatka/contract/imports.ts'
import type { Config } from '../config.ts'
import { assertFreeSpace } from '../core/disk.ts'
import { Refusal } from '../core/refusal.ts'

/* Files of imports: below DATA_DIR, as they are too large for the image store. */

type FolderConfig = Pick<Config, 'dataDir' | 'diskReserve'>

/** Files may have plates: readable only by the user of the server. */
const [FOLDER_MODE, FILE_MODE] = [0o700, 0o600]
/** Free space is checked after each of these parts. */
const CHECKED_BYTES = 32 * 1024 * 1024

export const importFolder = ({ dataDir }: Pick<Config, 'dataDir'>) => join(dataDir, 'imports')
export const uploadName = (id: number) => `${id}.file`
export const refusedName = (id: number) => `${id}.refused.csv`
export const uploadPath = (config: Pick<Config, 'dataDir'>, id: number) => join(importFolder(config), uploadName(id))
export const refusedPath = (config: Pick<Config, 'dataDir'>, id: number) => join(importFolder(config), refusedName(id))
/** Refused rows of a trial that is in progress; another process may still work on an earlier one. */
export const unfinishedPath = (config: Pick<Config, 'dataDir'>, id: number, holder: string) =>
  join(importFolder(config), `${id}.${holder}.csv`)

/** Creates the folder. */
export const ensureFolder = (config: Pick<Config, 'dataDir'>) =>
  mkdir(importFolder(config), { recursive: true, mode: FOLDER_MODE })

/** A file of the folder: of an upload, of refused rows, or unfinished ones of a holder. `changedAt` in ms. */
type StoredFile = { id: number; kind: 'file' | 'refused' | (string & {}); path: string; changedAt: number }

/** All files of imports; none without the folder. */
export async function listFiles(config: Pick<Config, 'dataDir'>): Promise<StoredFile[]> {
  const files: StoredFile[] = []
  for (const name of await readdir(importFolder(config)).catch(() => [])) {
    const [, id, ofFile, holder] = /^(\d{1,9})\.(?:(file|refused)|([0-9a-f]+))(?:\.csv)?$/.exec(name) ?? []
    const path = join(importFolder(config), name)
    const stats = id && (await stat(path).catch(() => null))
    // Renaming changes it, too.
    if (stats) files.push({ id: Number(id), kind: ofFile ?? holder ?? '', path, changedAt: stats.ctimeMs })
  }
  return files
}

/** Opens a file for writing; an existing one is replaced. */
export const openForWriting = (path: string) => createWriteStream(path, { mode: FILE_MODE, flush: true })

export async function removeFiles(config: Pick<Config, 'dataDir'>, id: number): Promise<void> {
  await rm(uploadPath(config, id), { force: true })
  await rm(refusedPath(config, id), { force: true })
}

/**
 * Stores an upload part by part; `onPart` is called for each.
 * @throws 413 if it is too large, 400 if it is aborted, `StorageUnavailable` without free space
 */
export async function receiveFile(
  config: FolderConfig,
  id: number,
  source: Readable,
  onPart: () => void = () => {},
): Promise<{ fileSize: number; sha256: string }> {
  await ensureFolder(config)
  await assertFreeSpace(config.dataDir, config.diskReserve)
  const hash = createHash('sha256')
  const path = uploadPath(config, id)
  const file = openForWriting(path)
  const failed = new Promise<never>((_, reject) => file.once('error', reject))
  failed.catch(() => {})
  let [fileSize, checked] = [0, 0]
  try {
    // The response still needs the connection.
    for await (const part of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      onPart()
      fileSize += part.length
      if (fileSize > MAX_IMPORT_BYTES) throw new Refusal('too-large', 413)
      if (fileSize - checked > CHECKED_BYTES) {
        checked = fileSize
        await assertFreeSpace(config.dataDir, config.diskReserve)
      }
      hash.update(part)
      if (!file.write(part)) await Promise.race([new Promise((resolve) => file.once('drain', resolve)), failed])
    }
    await Promise.race([new Promise<void>((resolve) => file.end(resolve)), failed])
    return { fileSize, sha256: hash.digest('hex') }
  } catch (error) {
    file.destroy()
    source.resume()
    await rm(path, { force: true })
    const { code } = error as { code?: string }
    throw code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' ? new Refusal('bad-request', 400) : error
  }
}
