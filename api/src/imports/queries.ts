import type { ErrorCode } from '@rogatka/contract/errors.ts'
import type { ImportDetail, ImportOptions, ImportState, WireImportTrial } from '@rogatka/contract/imports.ts'
import type { ClockJumps } from '@rogatka/domain/imports/clock.ts'
import { int2Array, int4Array, timestamptzArray } from '../core/binary-arrays.ts'
import type { Database } from '../core/database.ts'
import { json, sql } from '../core/statement.ts'
import { storable } from '../core/text.ts'

/** A reason of refused rows as stored, without its text. */
export type StoredReason = {
  code: ErrorCode
  path: string | null
  rows: number
  firstLine: number
  example: string | null
}
/** The result of a trial as stored. */
export type StoredTrial = Omit<WireImportTrial, 'reasons'> & { reasons: StoredReason[] }

export type ImportRow = {
  id: number
  state: ImportState
  fileName: string
  fileSize: number
  sha256: string
  hasFile: boolean
  hasRefusedFile: boolean
  options: ImportOptions
  columns: ImportDetail['columns']
  knownCount: number
  totalCount: number
  createdAt: Date
  createdBy: string | null
  trial: StoredTrial | null
  trialPercent: number
  jumps: ClockJumps
  line: number
  attempts: number
  revision: number
  written: number
  duplicates: number
  refused: number
  figures: number
  collected: number
  startedAt: Date | null
  finishedAt: Date | null
  error: ErrorCode | null
}

const COLUMNS = sql`
  i.id, i.state, i.file_name as "fileName", i.file_size as "fileSize", encode(i.sha256, 'hex') as sha256,
  i.has_file as "hasFile", i.has_refused_file as "hasRefusedFile", i.options, i.columns, i.known_count as "knownCount",
  i.total_count as "totalCount", i.created_at as "createdAt", u.username as "createdBy", i.trial,
  i.trial_percent as "trialPercent", i.jumps, i.line, i.attempts, i.revision, i.written, i.duplicates, i.refused,
  i.figures, i.collected,
  i.started_at as "startedAt", i.finished_at as "finishedAt", i.error`

export async function importById(db: Database, id: number): Promise<ImportRow | undefined> {
  const [row] = await db.query<ImportRow>(sql`
    select ${COLUMNS} from import i left join app_user u on u.id = i.created_by where i.id = ${id}`)
  return row
}

/** A page of the imports, newest first, and the total; their trials without lanes and days, of which there may be many. */
export async function importPage(db: Database, page: number, limit: number) {
  const content = await db.query<ImportRow>(sql`
    select ${COLUMNS}, i.trial || '{"lanes": [], "days": []}' as trial
    from import i left join app_user u on u.id = i.created_by
    order by i.created_at desc, i.id desc
    limit ${limit} offset ${(page - 1) * limit}`)
  const [count] = await db.query<{ total: number }>(sql`select count(*)::int as total from import`)
  return { content, totalCount: count?.total ?? 0 }
}

/** The id of a new import, by which its file is stored; it exists once the file is complete (`insertImport`). */
export async function nextImportId(db: Database): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`select nextval(pg_get_serial_sequence('import', 'id'))::int as id`)
  return row?.id as number
}

export type ReceivedFile = {
  fileName: string
  createdBy: number | null
  now: Date
  fileSize: number
  sha256: string
  options: ImportOptions
  columns: ImportDetail['columns']
  known: number
  total: number
}

/** A JSON value with texts of the file. */
const storableJson = (value: unknown) =>
  json(JSON.parse(JSON.stringify(value), (_key, it) => (typeof it === 'string' ? storable(it) : it)))

/** A new import with its file: it waits for `beginTrial`. */
export const insertImport = (db: Database, id: number, file: ReceivedFile) =>
  db.execute(sql`
  insert into import (id, state, file_name, file_size, sha256, has_file, options, columns, known_count, total_count,
                      created_at, created_by, revision)
  overriding system value
  values (${id}, 'checked', ${file.fileName}, ${file.fileSize}, decode(${file.sha256}, 'hex'), true,
          ${json(file.options)}, ${storableJson(file.columns)}, ${file.known}, ${file.total},
          ${file.now}::timestamptz, ${file.createdBy}::int, 0)`)

/** Locks an import to the end of the transaction. */
export const lockImport = (db: Database, id: number) => db.query(sql`select from import where id = ${id} for update`)

/** Of these hours of lanes, those in which vehicles are stored, as `location|lane|hour in ms`. */
export async function filledHours(
  db: Database,
  hours: readonly { locationId: number; laneNumber: number; hour: Date }[],
): Promise<Set<string>> {
  const rows = await db.query<{ locationId: number; laneNumber: number; hour: Date }>(sql`
    select distinct h.location_id as "locationId", h.lane_number as "laneNumber", h.hour
    from unnest(
      ${int4Array(hours.map(({ locationId }) => locationId))}::int[],
      ${int2Array(hours.map(({ laneNumber }) => laneNumber))}::smallint[],
      ${timestamptzArray(hours.map(({ hour }) => hour))}::timestamptz[]
    ) as g (location_id, lane_number, hour)
    join traffic_hour h using (location_id, hour, lane_number)`)
  return new Set(rows.map(({ locationId, laneNumber, hour }) => `${locationId}|${laneNumber}|${hour.getTime()}`))
}

/** Starts a trial with these options, unless the import runs or has ended; returns whether it did. */
export const beginTrial = (
  db: Database,
  id: number,
  {
    options,
    columns,
    error,
  }: { options: ImportOptions; columns: ImportRow['columns'] | null; error: ErrorCode | null },
) =>
  db.execute(sql`
  update import
  set state = ${error ? 'checked' : 'checking'}, options = ${json(options)},
      columns = coalesce(${columns && storableJson(columns)}, columns), trial = null, trial_percent = 0, jumps = '{}',
      has_refused_file = false, error = ${error}, attempts = 0, revision = revision + 1, lease_holder = null,
      lease_until = null
  where id = ${id} and has_file and started_at is null and state in ('checking', 'checked', 'failed')`)

/** Starts the run of a tried import, or continues a failed one; returns whether it did. */
export const beginRun = (db: Database, id: number, now: Date) =>
  db.execute(sql`
  update import
  set state = 'running', error = null, attempts = 0, started_at = coalesce(started_at, ${now}::timestamptz),
      finished_at = null
  where id = ${id} and has_file and trial is not null
    and (state = 'checked' or (state = 'failed' and started_at is not null))`)

/** Ends an import that has not ended; returns whether it did. */
export const cancelImport = (db: Database, id: number, now: Date) =>
  db.execute(sql`
  update import
  set state = 'cancelled', has_file = false, collected = 0, finished_at = ${now}::timestamptz, lease_holder = null,
      lease_until = null
  where id = ${id} and state not in ('done', 'cancelled')`)

/** Enqueues the work on an import; call it in the transaction that makes it due. */
export const enqueueImport = (db: Database, id: number) =>
  db.query(sql`
  select graphile_worker.add_job('work-on-import', json_build_object('id', ${id}::int), job_key := ${`import:${id}`},
                                 max_attempts := 1, priority := 10)`)

/** Imports that are due and on which no process works. */
export const dueImports = (db: Database) =>
  db.query<{ id: number }>(sql`
  select id from import
  where state in ('checking', 'running') and (lease_until is null or lease_until <= now())
  order by id`)

/** Takes the lease of a due import, by the database clock, and counts the attempt; undefined if another process has it. */
export async function claimImport(db: Database, id: number, holder: string, ms: number) {
  const [row] = await db.query<{ id: number }>(sql`
    update import set lease_holder = ${holder}, lease_until = now() + ${`${ms} ms`}::interval, attempts = attempts + 1
    where id = ${id} and state in ('checking', 'running') and (lease_until is null or lease_until <= now())
    returning id`)
  return row && importById(db, id)
}

export const extendImportLease = (db: Database, id: number, holder: string, ms: number) =>
  db.execute(sql`
  update import set lease_until = now() + ${`${ms} ms`}::interval where id = ${id} and lease_holder = ${holder}`)

/** Gives a lease back, so that another process continues: this was no failed attempt. */
export const releaseImport = (db: Database, id: number, holder: string) =>
  db.execute(sql`
  update import set lease_holder = null, lease_until = null, attempts = 0 where id = ${id} and lease_holder = ${holder}`)

/** Records how much of the file a trial has read; returns whether it still has the lease. */
export const recordTrialProgress = (db: Database, id: number, holder: string, percent: number) =>
  db.execute(sql`
  update import set trial_percent = ${percent} where id = ${id} and state = 'checking' and lease_holder = ${holder}`)

/** Records the result of a trial; with an error the file was refused on the way. */
export const recordTrial = (
  db: Database,
  id: number,
  holder: string,
  { trial, jumps, error }: { trial: StoredTrial; jumps: ClockJumps; error: ErrorCode | null },
) =>
  db.execute(sql`
  update import
  set state = ${error ? 'failed' : 'checked'}, trial = ${storableJson(trial)}, trial_percent = 100,
      jumps = ${json(jumps)}, has_refused_file = ${trial.refused > 0}, error = ${error}, lease_holder = null, lease_until = null
  where id = ${id} and state = 'checking' and lease_holder = ${holder}`)

export type RunCounts = { written: number; duplicates: number; refused: number; collected: number }

/** Records the progress of a run up to a line; returns whether it still has the lease. Part of the transaction of the rows. */
export const recordProgress = (db: Database, id: number, holder: string, line: number, counts: RunCounts) =>
  db.execute(sql`
  update import
  set line = ${line}, attempts = 0, written = written + ${counts.written}, duplicates = duplicates + ${counts.duplicates},
      refused = refused + ${counts.refused}, collected = collected + ${counts.collected}
  where id = ${id} and state = 'running' and lease_holder = ${holder} and line < ${line}`)

/**
 * Records that the collected vehicles of a day were counted in the figures, or refused; returns whether the run still has the
 * lease. Part of the transaction of the day.
 */
export const recordCounted = (
  db: Database,
  id: number,
  holder: string,
  { counted, refused }: { counted: number; refused: number },
) =>
  db.execute(sql`
  update import
  set attempts = 0, collected = collected - ${counted + refused}, written = written + ${counted}, figures = figures + ${counted},
      refused = refused + ${refused}
  where id = ${id} and state = 'running' and lease_holder = ${holder}`)

/** Ends a run or a trial: done, or failed with an error; returns whether it still had the lease. */
export const endImport = (db: Database, id: number, holder: string, error: ErrorCode | null, now: Date) =>
  db.execute(sql`
  update import
  set state = ${error ? 'failed' : 'done'}, error = ${error},
      has_file = ${error !== null && error !== 'import-file-deleted'},
      finished_at = ${now}::timestamptz, lease_holder = null, lease_until = null
  where id = ${id} and lease_holder = ${holder}`)

/**
 * Marks files that were uploaded or last used before `filesBefore`, and are not in use, as deleted, and files of refused rows
 * of before `refusedBefore`, with which sample values are deleted; returns the imports.
 */
export const expireFiles = (db: Database, filesBefore: Date, refusedBefore: Date) =>
  db.query<{ id: number; hasFile: boolean; hasRefusedFile: boolean }>(sql`
  update import
  set has_file = has_file and (coalesce(finished_at, created_at) >= ${filesBefore}::timestamptz
                               or state in ('checking', 'running')),
      has_refused_file = has_refused_file and created_at >= ${refusedBefore}::timestamptz,
      columns = case when created_at < ${refusedBefore}::timestamptz then '[]' else columns end,
      state = case when has_file and state = 'checked' and coalesce(finished_at, created_at) < ${filesBefore}::timestamptz
                   then 'cancelled' else state end,
      collected = case when has_file and state = 'failed' and coalesce(finished_at, created_at) < ${filesBefore}::timestamptz
                       then 0 else collected end
  where (has_file and coalesce(finished_at, created_at) < ${filesBefore}::timestamptz
         and state not in ('checking', 'running'))
     or (created_at < ${refusedBefore}::timestamptz and (has_refused_file or columns <> '[]'))
  returning id, has_file as "hasFile", has_refused_file as "hasRefusedFile"`)

/** Which files of imports are in use; `holder`: the process that works on it. */
export const usedFiles = (db: Database, ids: readonly number[]) =>
  db.query<{ id: number; hasFile: boolean; hasRefusedFile: boolean; holder: string | null }>(sql`
  select id, has_file as "hasFile", has_refused_file as "hasRefusedFile",
         case when lease_until > now() then lease_holder end as holder
  from import where id = any (${ids}::int[])`)

export const deleteImportsBefore = (db: Database, before: Date) =>
  db.query<{ id: number }>(sql`
  delete from import where created_at < ${before}::timestamptz and state not in ('checking', 'running') returning id`)

type MappingRow = { id: number; name: string; options: ImportOptions; createdBy: string | null }

/** Mappings by name; one by its id. */
export const selectMappings = (db: Database, id?: number) =>
  db.query<MappingRow>(sql`
  select m.id, m.name, m.options, u.username as "createdBy"
  from import_mapping m left join app_user u on u.id = m.created_by
  where ${id === undefined ? sql`true` : sql`m.id = ${id}`}
  order by m.name collate "und-x-icu", m.id`)

/** Adds a mapping, or replaces that of the same name, without regard to case. */
export async function upsertMapping(db: Database, name: string, options: ImportOptions, userId: number | null) {
  const [row] = await db.query<{ id: number }>(sql`
    insert into import_mapping (name, options, created_by) values (${name}, ${json(options)}, ${userId}::int)
    on conflict (lower(name collate "und-x-icu")) do update
      set name = excluded.name, options = excluded.options, created_by = excluded.created_by
    returning id`)
  return row?.id as number
}

export const deleteMapping = (db: Database, id: number) => db.execute(sql`delete from import_mapping where id = ${id}`)

/** Number of imports that are being tried or run. */
export async function countRunning(db: Database): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from import where state in ('checking', 'running')`)
  return row?.count ?? 0
}
