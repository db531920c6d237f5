import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'
import type { StoredAttachment } from './queries.ts'

/** The files that a report was made with: they travel with it. */
export const reportAttachments = (db: Database, ticketId: number) =>
  db.query<StoredAttachment>(sql`
  select number, name, type, size, encode(sha256, 'hex') as sha256
  from ticket_attachment where ticket_id = ${ticketId} and not added_later order by number`)

export type UnsentFile = StoredAttachment & { createdAt: Date; attemptedAt: Date | null }

/** A file that was first refused so long ago is not sent any more. */
const REFUSAL_TIMEOUT_MS = 3 * 86_400_000

/** Files that were added after the report, that the service has not got and may still take. */
export const isToSend = (now: Date) => sql`
  added_later and sent_at is null and service_file is null
  and (refused_at is null or refused_at > ${new Date(now.getTime() - REFUSAL_TIMEOUT_MS)}::timestamptz)`

/** Files that are to be sent after the report, in the order of their numbers. */
export const filesToSend = (db: Database, ticketId: number, now: Date) =>
  db.query<UnsentFile>(sql`
  select number, name, type, size, encode(sha256, 'hex') as sha256, created_at as "createdAt",
         attempted_at as "attemptedAt"
  from ticket_attachment
  where ticket_id = ${ticketId} and ${isToSend(now)}
  order by number`)

/** Records that files are being sent; null: that they were refused. */
export const recordFileAttempt = (db: Database, ticketId: number, numbers: readonly number[], at: Date | null) =>
  db.execute(sql`
  update ticket_attachment set attempted_at = ${at}::timestamptz where ticket_id = ${ticketId} and number = any(${numbers})`)

export const recordFilesSent = (db: Database, ticketId: number, numbers: readonly number[], now: Date) =>
  db.execute(sql`
  update ticket_attachment set sent_at = ${now}::timestamptz, refused_at = null
  where ticket_id = ${ticketId} and number = any(${numbers})`)

/** Records that files were refused by what they are, since when if again. */
export const recordFilesRefused = (db: Database, ticketId: number, numbers: readonly number[], now: Date) =>
  db.execute(sql`
  update ticket_attachment set refused_at = coalesce(refused_at, ${now}::timestamptz)
  where ticket_id = ${ticketId} and number = any(${numbers})`)

/** A file of the service that we have: by its place there, or the very same bytes that have no place there yet. */
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

/** A file that ended the process this often is not read again. */
const MAX_IMPORT_ATTEMPTS = 2

/** Files of the service that are not to be fetched: they are here, were refused, or ended the process. */
export async function settledFiles(db: Database, ticketId: number): Promise<Set<number>> {
  const rows = await db.query<{ file: number }>(sql`
    select service_file as file from ticket_attachment where ticket_id = ${ticketId} and service_file is not null
    union
    select service_file from ticket_service_file
    where ticket_id = ${ticketId} and (refused or attempts >= ${MAX_IMPORT_ATTEMPTS})`)
  return new Set(rows.map(({ file }) => file))
}

/** Records that a file is about to be read. */
export const recordImportAttempt = (db: Database, ticketId: number, file: number) =>
  db.execute(sql`
  insert into ticket_service_file as f (ticket_id, service_file, attempts) values (${ticketId}, ${file}, 1)
  on conflict (ticket_id, service_file) do update set attempts = f.attempts + 1`)

/** Records that a file was refused by its content. */
export const recordImportRefused = (db: Database, ticketId: number, file: number) =>
  db.execute(sql`
  update ticket_service_file set refused = true where ticket_id = ${ticketId} and service_file = ${file}`)

/** The file is here, or could not be stored and the process lives: nothing speaks against another attempt. */
export const deleteImportAttempts = (db: Database, ticketId: number, file: number) =>
  db.execute(sql`
  delete from ticket_service_file where ticket_id = ${ticketId} and service_file = ${file}`)
