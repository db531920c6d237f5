import type { AlarmKind, AlarmPriority } from '@rogatka/contract/alarms.ts'
import type { ShiftAlarms } from '@rogatka/contract/shifts.ts'
import type { Database } from '../core/database.ts'
import { type Statement, sql } from '../core/statement.ts'

type Range = { from: Date; to: Date }

/** Numbers of alarms that were raised in [from, to), by priority, and of those that nobody acknowledged in time. */
export const raisedInShift = (db: Database, kinds: readonly AlarmKind[], { from, to }: Range) =>
  db.query<{ priority: AlarmPriority; raised: number; missed: number }>(sql`
  select priority, count(*)::int as raised, (count(*) filter (where is_missed))::int as missed
  from alarm
  where raised_at >= ${from}::timestamptz and raised_at < ${to}::timestamptz and kind = any(${[...kinds]})
  group by priority`)

/** What users did about alarms in [from, to), from the audit log, as an alarm that is raised again forgets it. */
const auditedInShift = (action: string, kinds: readonly AlarmKind[], { from, to }: Range): Statement => sql`
  a.action = ${action} and a.at >= ${from}::timestamptz and a.at < ${to}::timestamptz
  and a.after ->> 'alarm' = any(${[...kinds]})`

/** Acknowledgements in [from, to). */
export async function countAcknowledged(db: Database, kinds: readonly AlarmKind[], range: Range): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from audit a where ${auditedInShift('alarm-acknowledged', kinds, range)}`)
  return row?.count ?? 0
}

type Shelving = ShiftAlarms['shelved'][number]

/** Alarms that were shelved in [from, to), oldest first. */
export async function shelvedInShift(db: Database, kinds: readonly AlarmKind[], range: Range): Promise<Shelving[]> {
  const rows = await db.query<Omit<Shelving, 'until'> & { until: string }>(sql`
    select a.at, json_build_object('id', a.user_id, 'username', coalesce(u.username, '')) as by,
           a.after ->> 'alarm' as kind, a.subject, a.after ->> 'to' as until, a.after ->> 'reason' as reason
    from audit a left join app_user u on u.id = a.user_id
    where ${auditedInShift('alarm-shelved', kinds, range)}
    order by a.at, a.id`)
  return rows.map((row) => ({ ...row, until: new Date(row.until) }))
}
