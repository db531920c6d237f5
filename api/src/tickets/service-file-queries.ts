import type { Sql } from '../core/database.ts'
import type { StoredAttachment } from './queries.ts'

/** The files that a report was made with: they travel with it. */
export const reportAttachments = (sql: Sql, ticketId: number) => sql<StoredAttachment[]>`
  select number, name, type, size, encode(sha256, 'hex') as sha256
  from ticket_attachment where ticket_id = ${ticketId} and not added_later order by number`

export type UnsentFile = StoredAttachment & { createdAt: Date; attemptedAt: Date | null }

/** Files that were added after the report and that the service has not got, in the order of their numbers. */
export const filesToSend = (sql: Sql, ticketId: number) => sql<UnsentFile[]>`
  select number, name, type, size, encode(sha256, 'hex') as sha256, created_at as "createdAt",
         attempted_at as "attemptedAt"
  from ticket_attachment
  where ticket_id = ${ticketId} and added_later and sent_at is null and service_file is null
  order by number`

/** Records that files are being sent; null: that they were refused. */
export const recordFileAttempt = (sql: Sql, ticketId: number, numbers: readonly number[], at: Date | null) => sql`
  update ticket_attachment set attempted_at = ${at} where ticket_id = ${ticketId} and number = any(${numbers})`

export const recordFilesSent = (sql: Sql, ticketId: number, numbers: readonly number[], now: Date) => sql`
  update ticket_attachment set sent_at = ${now} where ticket_id = ${ticketId} and number = any(${numbers})`
