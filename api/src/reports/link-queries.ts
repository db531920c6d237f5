import { type Language, languages } from '@rogatka/contract/languages.ts'
import { REPORT_LINK_MINUTES } from '@rogatka/contract/reports.ts'
import { MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { withoutPlates } from '@rogatka/domain/vehicle/anonymity.ts'
import { z } from 'zod'
import { type Actor, audit } from '../core/audit.ts'
import type { Database, Pool } from '../core/database.ts'
import { hashToken, newToken } from '../core/sessions.ts'
import { json, sql } from '../core/statement.ts'
import type { ReportKind } from './report.ts'

/** The user and language of a request. */
type Requester = Actor & { db: Pool; language: Language }

/**
 * Stores a report request and returns its link; deletes expired links. Audits the export, without plates: who downloads it
 * is in the access trail.
 */
export async function createReportLink<S extends z.ZodType>(
  { db, language, ...actor }: Requester,
  kind: ReportKind<S>,
  query: z.output<S>,
): Promise<{ link: string }> {
  const { session, now } = actor
  const token = newToken()
  const expiresAt = new Date(now.getTime() + REPORT_LINK_MINUTES * MINUTE_MS)
  const encodedQuery = z.encode(kind.query, query)
  const number = reportNumber(hashToken(token))
  await db.transaction(async (db) => {
    await db.execute(sql`
      with expired as (delete from report_link where expires_at <= ${now}::timestamptz)
      insert into report_link (token_hash, user_id, kind, query, language, expires_at)
      values (${hashToken(token)}, ${session.userId}, ${kind.name}, ${json(encodedQuery)}, ${language}, ${expiresAt}::timestamptz)`)
    await audit(db, actor, {
      action: 'report-ordered',
      subject: kind.name,
      after: { number, ...(withoutPlates(encodedQuery) as object) },
    })
  })
  return { link: `/reports/${token}` }
}

/** Deletes the requests of links that no longer open: they may have plates. */
export const deleteExpiredReportLinks = (db: Database, now: Date) =>
  db.execute(sql`delete from report_link where expires_at <= ${now}::timestamptz`)

/** 4F3A-91C2: printed in a report, to find its audit entry. */
const reportNumber = (tokenHash: Buffer): string =>
  tokenHash
    .toString('hex', 0, 4)
    .toUpperCase()
    .replace(/^(.{4})/, '$1-')

type ReportRequest = { kind: string; query: unknown; language: Language; printedBy: string; number: string }

/** The report request of a valid link of this user; undefined if there is none. */
export async function findReportRequest(
  db: Database,
  token: string,
  userId: number,
  now: Date,
): Promise<ReportRequest | undefined> {
  const [request] = await db.query<Omit<ReportRequest, 'language' | 'number'> & { language: string }>(sql`
    select r.kind, r.query, r.language,
           case when concat(u.first_name, u.last_name) = '' then u.username
                else concat_ws(' ', u.first_name, u.last_name) || ' (' || u.username || ')' end as "printedBy"
    from report_link r
    join app_user u on u.id = r.user_id
    where r.token_hash = ${hashToken(token)} and r.user_id = ${userId} and r.expires_at > ${now}::timestamptz`)
  const number = reportNumber(hashToken(token))
  return (
    request && { ...request, number, language: languages.find((language) => language === request.language) ?? 'pl' }
  )
}
