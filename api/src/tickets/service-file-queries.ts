import { DAY_MS } from '@rogatka/domain/core/time.ts'
import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'
import type { StoredAttachment } from './queries.ts'

/** The files of the report, sent with it. */
export const reportAttachments = (db: Database, ticketId: number) =>
  db.query<StoredAttachment>(sql`
  select number, name, type, size, encode(sha256, 'hex') as sha256
  from ticket_attachment where ticket_id = ${ticketId} and not added_later order by number`)

export type UnsentFile = StoredAttachment & { createdAt: Date; attemptedAt: Date | null }

/** A file is no longer sent this long after its first refusal. */
const REFUSAL_TIMEOUT_MS = 3 * DAY_MS

/** Files added after the report, not sent, not imported and not finally refused. */
export const toSendCondition = (now: Date) => sql`
  added_later and sent_at is null and service_file is null
  and (refused_at is null or refused_at > ${new Date(now.getTime() - REFUSAL_TIMEOUT_MS)}::timestamptz)`

/** Files to send after the report, by number. */
export const filesToSend = (db: Database, ticketId: number, now: Date) =>
  db.query<UnsentFile>(sql`
  select number, name, type, size, encode(sha256, 'hex') as sha256, created_at as "createdAt",
         attempted_at as "attemptedAt"
  from ticket_attachment
  where ticket_id = ${ticketId} and ${toSendCondition(now)}
  order by number`)

/** Records an attempt to send files; null: they were refused. */
export const recordFileAttempt = (db: Database, ticketId: number, numbers: readonly number[], at: Date | null) =>
  db.execute(sql`
  update ticket_attachment set attempted_at = ${at}::timestamptz where ticket_id = ${ticketId} and number = any(${numbers})`)

export const recordFilesSent = (db: Database, ticketId: number, numbers: readonly number[], now: Date) =>
  db.execute(sql`
  update ticket_attachment set sent_at = ${now}::timestamptz, refused_at = null
  where ticket_id = ${ticketId} and number = any(${numbers})`)

/** Records that files were refused for their content, with the time of the first refusal. */
export const recordFilesRefused = (db: Database, ticketId: number, numbers: readonly number[], now: Date) =>
  db.execute(sql`
  update ticket_attachment set refused_at = coalesce(refused_at, ${now}::timestamptz)
  where ticket_id = ${ticketId} and number = any(${numbers})`)

/** Links a remote file to a stored one: by its id, or the same bytes without a link. Returns whether one was found. */
export async function claimAttachment(
  db: Database,
  ticketId: number,
  { article, file, sha256 }: { article: number; file: number; sha256: string },
): Promise<boolean> {
  const claimed = await db.execute(sql`
    update ticket_attachment set service_article = ${article}, service_file = ${file}
    where (ticket_id, number) = (
      select ticket_id, number from ticket_attachment
      where ticket_id = ${ticketId} and sha256 = decode(${sha256}, 'hex')
        and (service_file is null or service_file = ${file})
      order by number limit 1
    )`)
  return claimed > 0
}

/** A file is not read again after ending the process this often. */
const MAX_IMPORT_ATTEMPTS = 2

/** Remote files not to fetch: stored, refused, or with too many attempts. */
export async function filesNotToImport(db: Database, ticketId: number): Promise<Set<number>> {
  const rows = await db.query<{ file: number }>(sql`
    select service_file as file from ticket_attachment where ticket_id = ${ticketId} and service_file is not null
    union
    select service_file from ticket_service_file
    where ticket_id = ${ticketId} and (refused or attempts >= ${MAX_IMPORT_ATTEMPTS})`)
  return new Set(rows.map(({ file }) => file))
}

/** Records an attempt to read a file. */
export const recordImportAttempt = (db: Database, ticketId: number, file: number) =>
  db.execute(sql`
  insert into ticket_service_file as f (ticket_id, service_file, attempts) values (${ticketId}, ${file}, 1)
  on conflict (ticket_id, service_file) do update set attempts = f.attempts + 1`)

/** Records that a file was refused for its content. */
export const recordImportRefused = (db: Database, ticketId: number, file: number) =>
  db.execute(sql`
  update ticket_service_file set refused = true where ticket_id = ${ticketId} and service_file = ${file}`)

/** Deletes the attempts: the file is stored, or the process survived the failure and may retry. */
export const deleteImportAttempts = (db: Database, ticketId: number, file: number) =>
  db.execute(sql`
  delete from ticket_service_file where ticket_id = ${ticketId} and service_file = ${file}`)
