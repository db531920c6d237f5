import type { Interval } from '@rogatka/domain/core/time.ts'
import type { StoredValue } from '@rogatka/domain/evidence/canonical.ts'
import type { Database } from '../core/database.ts'
import type { LineKey } from '../core/log-queue.ts'
import { identifier, type Statement, sql } from '../core/statement.ts'
import type { TRAIL_TABLES } from '../core/trail-queries.ts'

/** A line of a log with what its seal covers, by field. */
export type LogLine = LineKey & { fields: Record<string, StoredValue> }

type Row = LineKey & Record<string, StoredValue>

/** Audit entries of these ids, unordered; those that do not exist are missing. */
export async function auditLines(db: Database, keys: readonly LineKey[]): Promise<LogLine[]> {
  const rows = await db.query<Row>(sql`
    select id, at, user_id as "userId", ip, action, subject, before, after, ticket_id as "ticketId"
    from audit where id = any(${keys.map(({ id }) => id)}::bigint[])`)
  return rows.map(({ id, ...fields }) => ({ id, at: fields.at, fields }))
}

/** Audit entries without a seal with an id in (from, until], by id. */
export const unsealedAudit = (
  db: Database,
  { from, until, limit }: { from: number; until: number | null; limit: number },
) =>
  db.query<LineKey>(sql`
  select a.id, a.at
  from audit a
  left join log_seal s on s.chain = 'audit' and s.source_id = a.id
  where a.id > ${from} ${until === null ? sql`` : sql`and a.id <= ${until}`} and s.seq is null
  order by a.id
  limit ${limit}`)

/** A line, and whether it has a seal. */
export type SealedLine = LineKey & { isSealed: boolean }

/** The next lines: after a key, null: from the first one on; `until`: with an id up to this one, null: all. */
export type LinePage = { after: LineKey | null; until: number | null; limit: number }

const withSeals = (chain: string, page: Statement, order: Statement) => sql`
  with page as materialized (${page})
  select p.id, p.at, s.seq is not null as "isSealed"
  from page p
  left join log_seal s on s.chain = ${chain} and s.source_id = p.id
  order by ${order}`

/** Audit entries by id. */
export const auditPage = (db: Database, { after, until, limit }: LinePage) =>
  db.query<SealedLine>(
    withSeals(
      'audit',
      sql`select id, at from audit where id > ${after?.id ?? 0} ${until === null ? sql`` : sql`and id <= ${until}`}
          order by id limit ${limit}`,
      sql`p.id`,
    ),
  )

/** Reads lines by their ids, in the partitions of their times. */
const byKeys = (keys: readonly LineKey[]) => {
  const times = keys.map(({ at }) => at.getTime())
  const [first, last] = [new Date(Math.min(...times)), new Date(Math.max(...times))]
  return sql`at between ${first}::timestamptz and ${last}::timestamptz
    and id = any(${keys.map(({ id }) => id)}::bigint[])`
}

/** HMACs as hexadecimal digits; null for null. */
const hexOf = (column: 'asked' | 'shown') => sql`
  case when ${identifier(column)} is not null
       then array(select encode(h, 'hex') from unnest(${identifier(column)}) with ordinality u (h, n) order by n) end`

/** Columns of lines of the access trail, and of ends of visits, beside their id and time. */
const TRAIL_COLUMNS = {
  access_trail: sql`
    user_id as "userId", system_id as "systemId", device_id as "deviceId", user_name as "userName",
    role_name as "roleName", encode(session, 'hex') as session, ip, call, kind, purpose, reference, note, criteria,
    ${hexOf('asked')} as asked, encode(asked_text, 'hex') as "askedText", results, plates, ${hexOf('shown')} as shown,
    vehicle_key as "vehicleKey", is_visit as "isVisit"`,
  access_visit_end: sql`ended_at as "endedAt", results, plates, ${hexOf('shown')} as shown`,
}

type TrailTable = (typeof TRAIL_TABLES)[number]

/** Lines of a table of the trail with these keys, unordered; those that do not exist are missing. */
export const trailLines =
  (table: TrailTable) =>
  async (db: Database, keys: readonly LineKey[]): Promise<LogLine[]> => {
    if (keys.length === 0) return []
    const rows = await db.query<Row>(sql`
      select id, at, ${TRAIL_COLUMNS[table]} from ${identifier(table)} where ${byKeys(keys)}`)
    return rows.map((fields) => ({ id: fields.id, at: fields.at, fields }))
  }

/** Lines of a table of the trail by time and id. */
export const trailPage =
  (chain: string, table: TrailTable) =>
  (db: Database, { after, until, limit }: LinePage): Promise<SealedLine[]> => {
    const { at, id } = after ?? { at: new Date(0), id: 0 }
    return db.query<SealedLine>(
      withSeals(
        chain,
        sql`select id, at from ${identifier(table)}
            where at >= ${at}::timestamptz and (at, id) > (${at}::timestamptz, ${id}::bigint)
              ${until === null ? sql`` : sql`and id <= ${until}`}
            order by at, id limit ${limit}`,
        sql`p.at, p.id`,
      ),
    )
  }

/** The time of the first visit since then; null: there is none. */
export async function firstVisit(db: Database, since: Date): Promise<Date | null> {
  const [first] = await db.query<{ at: Date }>(sql`
    select at from access_trail where is_visit and at >= ${since}::timestamptz order by at limit 1`)
  return first?.at ?? null
}

/** The first visit of a time that neither is open nor has an end. Ends have the time of their visit. */
export async function visitWithoutEnd(db: Database, { from, to }: Interval): Promise<LineKey | undefined> {
  const [visit] = await db.query<LineKey>(sql`
    select t.id, t.at
    from access_trail t
    left join access_visit_end e
      on e.id = t.id and e.at = t.at and e.at >= ${from}::timestamptz and e.at < ${to}::timestamptz
    left join access_visit v on v.id = t.id
    where t.is_visit and t.at >= ${from}::timestamptz and t.at < ${to}::timestamptz and e.id is null and v.id is null
    order by t.at, t.id limit 1`)
  return visit
}

/** Audit entries with a subject, by the index on subjects. */
export const auditOfSubject = (db: Database, subject: string) =>
  db.query<LineKey>(sql`select id, at from audit where subject = ${subject} order by id`)
