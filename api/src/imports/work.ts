import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { auditAsSystem } from '../core/audit.ts'
import { isDatabaseUnavailable } from '../core/database.ts'
import { assertFreeSpace } from '../core/disk.ts'
import { toRefusal } from '../core/error-mapping.ts'
import { Refusal } from '../core/refusal.ts'
import { deleteCollected } from '../ingest/public-api.ts'
import { type ImportContext, LeaseLost } from './context.ts'
import { listFiles, refusedPath, removeFiles, uploadPath } from './folder.ts'
import {
  claimImport,
  deleteImportsBefore,
  dueImports,
  endImport,
  expireFiles,
  extendImportLease,
  importById,
  releaseImport,
  usedFiles,
} from './queries.ts'
import { runImport } from './run.ts'
import { runTrial } from './trial.ts'

/** A lease not renewed for this time passes to another process. */
const LEASE_MS = 30_000
/** Attempts without progress: a file that crashes one process must not crash all others in turn. */
const MAX_ATTEMPTS = 5
/** Retention of files that were not imported, and of refused rows: that of the quarantine. */
const [FILE_DAYS, REFUSED_DAYS] = [1, 30]

/** Tries or runs a due import, unless another process does. */
export async function workOnImport(context: ImportContext, id: number): Promise<void> {
  const { db, config, now, log } = context
  const holder = randomBytes(8).toString('hex')
  const row = await claimImport(db, id, holder, LEASE_MS)
  if (!row) return
  const renewal = setInterval(() => void extendImportLease(db, id, holder, LEASE_MS).catch(() => {}), LEASE_MS / 3)
  renewal.unref()
  const fail = async (code: ErrorCode) => void (await endImport(db, id, holder, code, now()))
  const unexpected = row.state === 'checking' ? 'import-trial-failed' : 'import-failed'
  try {
    if (row.attempts > MAX_ATTEMPTS) return await fail(unexpected)
    await assertFreeSpace(config.dataDir, config.diskReserve)
    if (row.state === 'checking') await runTrial(context, row, holder)
    else {
      await runImport(context, row, holder)
      await finish(context, id, holder)
      await rm(uploadPath(config, id), { force: true })
    }
  } catch (error) {
    // Continued later, by whichever process has the lease then.
    if (error instanceof LeaseLost || isDatabaseUnavailable(error))
      return void (await releaseImport(db, id, holder).catch(() => {}))
    if (error instanceof Refusal) await fail(error.message as ErrorCode)
    else if ((error as { code?: string }).code === 'ENOENT') await fail('import-file-deleted')
    else {
      log.error({ err: error, import: id }, 'imports: an import failed')
      await fail(toRefusal(error).message === 'storage-unavailable' ? 'storage-unavailable' : unexpected)
    }
  } finally {
    clearInterval(renewal)
  }
}

async function finish({ db, now }: ImportContext, id: number, holder: string): Promise<void> {
  await db.transaction(async (db) => {
    if (!(await endImport(db, id, holder, null, now()))) throw new LeaseLost()
    const row = await importById(db, id)
    if (!row) return
    const { fileName, written, duplicates, refused, figures } = row
    await auditAsSystem(db, now(), {
      action: 'import-finished',
      subject: fileName,
      after: { written, ...(figures > 0 && { figures }), duplicates, refusedRows: refused },
    })
  })
}

/** Works on all due imports, one after the other: those whose process died, too. */
export async function workOnImports(context: ImportContext): Promise<void> {
  for (const { id } of await dueImports(context.db)) await workOnImport(context, id)
}

/**
 * Deletes files that were not imported for a day, refused rows after 30 days, imports at the end of the history, and
 * orphaned files.
 */
export async function pruneImports(
  { db, config, now }: Pick<ImportContext, 'db' | 'config' | 'now'>,
  historyDays: number,
): Promise<void> {
  const before = (days: number) => new Date(now().getTime() - days * DAY_MS)
  for (const { id, hasFile, hasRefusedFile } of await expireFiles(db, before(FILE_DAYS), before(REFUSED_DAYS))) {
    if (!hasFile) {
      await rm(uploadPath(config, id), { force: true })
      await deleteCollected(db, id)
    }
    if (!hasRefusedFile) await rm(refusedPath(config, id), { force: true })
  }
  for (const { id } of await deleteImportsBefore(db, before(historyDays))) await removeFiles(config, id)
  await removeOrphanedFiles({ db, config, now })
}

/** Deletes files that no import has, left by processes that died, once nothing was written to them for an hour. */
async function removeOrphanedFiles({ db, config, now }: Pick<ImportContext, 'db' | 'config' | 'now'>): Promise<void> {
  const files = (await listFiles(config)).filter(({ changedAt }) => changedAt < now().getTime() - HOUR_MS)
  const ids = [...new Set(files.map(({ id }) => id))]
  const used = new Map((await usedFiles(db, ids)).map((row) => [row.id, row]))
  for (const { id, kind, path } of files) {
    const row = used.get(id)
    const isUsed = kind === 'file' ? row?.hasFile : kind === 'refused' ? row?.hasRefusedFile : row?.holder === kind
    if (!isUsed) await rm(path, { force: true })
  }
}
