import { rm } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { ErrorCode } from '@rogatka/contract/errors.ts'
import { type ImportOptions, importOptions, MAX_COLUMNS } from '@rogatka/contract/imports.ts'
import { fitColumns, readColumns, recognise, withEncoding } from '@rogatka/domain/imports/recognise.ts'
import { isComplete } from '@rogatka/domain/imports/table.ts'
import type { Config } from '../config.ts'
import type { NewAuditEntry } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { Refusal } from '../core/refusal.ts'
import { deleteCollected } from '../ingest/public-api.ts'
import { receiveFile, removeFiles, uploadPath } from './folder.ts'
import { readHead, recogniseEncoding } from './lines.ts'
import {
  beginRun,
  beginTrial,
  cancelImport,
  enqueueImport,
  type ImportRow,
  importById,
  insertImport,
  lockImport,
  nextImportId,
  selectMappings,
} from './queries.ts'

/* What users and commands do with imports; the work itself is done by jobs (work.ts). */

/** The user or command that acts, and how its audit entries are written. */
export type ImportActor = {
  userId: number | null
  now: Date
  audit: (db: Database, entry: NewAuditEntry) => Promise<unknown>
}

/** Lines by which a format is recognised. */
const HEAD_LINES = 50

/** A line by which a format is recognised: one that is too long shows nothing. */
const readable = (line: string | null): string => line ?? ''

/** An import by its id. @throws 404 */
export async function requireImport(db: Database, id: number): Promise<ImportRow> {
  const row = await importById(db, id)
  if (!row) throw new Refusal('import-not-found', 404)
  return row
}

type Upload = {
  fileName: string
  source: Readable
  mappingId?: number | undefined
  /** Replaces what was recognised. */
  change?: (options: ImportOptions) => ImportOptions
  onPart?: () => void
}

/**
 * Receives a file, recognises its format and lets it be tried; returns the id of the import.
 * @throws 422 if it has no known format, 404 for an unknown mapping
 */
export async function uploadFile(
  db: Pool,
  config: Pick<Config, 'dataDir' | 'diskReserve'>,
  { fileName, source, mappingId, change = (options) => options, onPart }: Upload,
  actor: ImportActor,
): Promise<number> {
  const [mapping] = mappingId === undefined ? [] : await selectMappings(db, mappingId)
  if (mappingId !== undefined && !mapping) throw new Refusal('import-mapping-not-found', 404, 'mappingId')
  const id = await nextImportId(db)
  try {
    const received = await receiveFile(config, id, source, onPart)
    const path = uploadPath(config, id)
    const encoding = await recogniseEncoding(path)
    const lines = await readHead(path, HEAD_LINES, encoding ?? 'utf-8')
    if (lines.every((line) => line?.trim() === '')) throw new Refusal('import-empty', 422)
    const found = recognise(lines.map(readable), encoding ?? 'utf-8')
    if (!found) throw new Refusal('import-format-unknown', 422)
    const { known, total, columns } = found
    if (columns.length > MAX_COLUMNS) throw new Refusal('import-too-many-columns', 422)
    const options = importOptions.parse(change(mapping ? withEncoding(mapping.options, encoding) : found.options))
    const layout = await fitToFile(config, id, options)
    await db.transaction(async (db) => {
      const { userId: createdBy, now } = actor
      await insertImport(db, id, { ...received, fileName, createdBy, now, options, known, total, columns })
      await actor.audit(db, {
        action: 'import-uploaded',
        subject: fileName,
        after: { importId: id, fileSize: received.fileSize, sha256: received.sha256, format: options.format },
      })
      await startTrial(db, id, layout)
    })
    return id
  } catch (error) {
    await removeFiles(config, id)
    throw error
  }
}

/** What decides which vehicles an import stores, for the audit log. */
function auditedOptions(importId: number, options: ImportOptions) {
  const { format, encoding, timeZone, accuracy, wUnits, separator, columns, assignments } = options
  const lane = (...parts: (string | number | null)[]) => parts.map((part) => part ?? '–').join(' · ')
  return {
    ...{ importId, format, encoding, timeZone, accuracy },
    ...(format === 'w2001' && { wUnits }),
    ...(format === 'csv' && {
      separator,
      columns: columns
        .filter(({ field }) => field !== 'ignored')
        .map(
          ({ column, field, axle, unit }) => `${column}: ${[field, axle, unit].filter((it) => it !== null).join(' ')}`,
        ),
    }),
    assignments: assignments.map(
      ({ station, lane: number, locationId, laneNumber }) =>
        `${lane(station, number)} → ${lane(locationId, laneNumber)}`,
    ),
  }
}

/** How a file is to be read: its columns, null for other formats than tables, and why that is not possible. */
type FileLayout = { options: ImportOptions; columns: ImportRow['columns'] | null; error: ErrorCode | null }

async function fitToFile(config: Pick<Config, 'dataDir'>, id: number, options: ImportOptions): Promise<FileLayout> {
  if (options.format !== 'csv') return { options, columns: null, error: null }
  const lines = await readHead(uploadPath(config, id), HEAD_LINES, options.encoding)
  const columns = readColumns(
    lines.map(readable).filter((line) => line.trim() !== ''),
    options,
  )
  if (columns.length > MAX_COLUMNS) throw new Refusal('import-too-many-columns', 422)
  const fitted = fitColumns(options, columns)
  const isFound = fitted.missing.length === 0
  const error = !isFound
    ? 'import-columns-missing'
    : isComplete(fitted.options.columns)
      ? null
      : 'import-mapping-incomplete'
  return { options: fitted.options, columns, error }
}

async function startTrial(db: Database, id: number, { options, columns, error }: FileLayout): Promise<void> {
  if (!(await beginTrial(db, id, { options, columns, error }))) throw new Refusal('import-state-not-allowed', 409)
  if (!error) await enqueueImport(db, id)
}

/** Locks an import that is to be changed. @throws 404, 409 if its options are no longer those of the revision */
async function requireRevision(db: Database, id: number, revision: number): Promise<ImportRow> {
  await lockImport(db, id)
  const row = await requireImport(db, id)
  if (row.revision !== revision) throw new Refusal('changed-meanwhile', 409)
  return row
}

/** Repeats the trial of a file with other options. @throws 409 once it was run, or if it was changed meanwhile */
export async function retryWith(
  db: Pool,
  config: Pick<Config, 'dataDir'>,
  id: number,
  { revision, options }: { revision: number; options: ImportOptions },
  actor: ImportActor,
): Promise<void> {
  const { hasFile } = await requireImport(db, id)
  if (!hasFile) throw new Refusal('import-state-not-allowed', 409)
  const layout = await fitToFile(config, id, options).catch((error: { code?: string }) => {
    throw error.code === 'ENOENT' ? new Refusal('import-file-deleted', 409) : error
  })
  await db.transaction(async (db) => {
    const row = await requireRevision(db, id, revision)
    await startTrial(db, id, layout)
    const [before, after] = [row.options, layout.options].map((one) => auditedOptions(id, one))
    if (isDeepStrictEqual(before, after)) return
    await actor.audit(db, { action: 'import-options-changed', subject: row.fileName, before, after })
  })
}

/**
 * Starts the import of a tried file; one that is running is only enqueued again.
 * @throws 409 without a trial, once it has ended, or if it was changed meanwhile
 */
export const startRun = (db: Pool, id: number, revision: number, actor: ImportActor): Promise<void> =>
  db.transaction(async (db) => {
    const row = await requireRevision(db, id, revision)
    if (row.state !== 'running') {
      if (!row.hasFile && row.state !== 'done') throw new Refusal('import-file-deleted', 409)
      if (!(await beginRun(db, id, actor.now))) throw new Refusal('import-state-not-allowed', 409)
      await actor.audit(db, {
        action: 'import-started',
        subject: row.fileName,
        after: auditedOptions(id, row.options),
      })
    }
    await enqueueImport(db, id)
  })

/** Ends an import and deletes its file; what was imported stays. @throws 409 once it has ended */
export async function cancel(db: Pool, config: Pick<Config, 'dataDir'>, id: number, actor: ImportActor): Promise<void> {
  await db.transaction(async (db) => {
    // After the batch that is being stored, so that its rows are in the audit entry.
    await lockImport(db, id)
    const row = await requireImport(db, id)
    if (!(await cancelImport(db, id, actor.now))) throw new Refusal('import-state-not-allowed', 409)
    await deleteCollected(db, id)
    await actor.audit(db, { action: 'import-cancelled', subject: row.fileName, after: { written: row.written } })
  })
  await rm(uploadPath(config, id), { force: true })
}
