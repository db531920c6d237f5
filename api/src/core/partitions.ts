import type { Pool, Sql } from './database.ts'

/** A month in UTC, as the names of partitions and folders have it: `2026-11`. */
export type Month = string

export const monthOf = (at: Date): Month => at.toISOString().slice(0, 7)

/** When a month begins; with 1 for `later`, when it ends. */
export function startOf(month: Month, later = 0): Date {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + later))
}

/** The months that hold any instant of [from, to]. */
export function monthsBetween(from: Date, to: Date): Month[] {
  const months: Month[] = []
  for (let at = startOf(monthOf(from)); at <= to; at = startOf(monthOf(at), 1)) months.push(monthOf(at))
  return months
}

const nameOf = (table: string, month: Month) => `${table}_${month.replace('-', '_')}`

/** What this process has seen to exist. A month that went meanwhile is beyond the retention, so nobody asks for it. */
const seen = new WeakMap<Pool, Set<string>>()

/** Forgets what was seen, after a row found no partition. */
export const forgetPartitions = (sql: Pool) => seen.delete(sql)

/** Makes the partitions of these months where they are missing; of several processes one makes each. */
export async function ensureMonths(sql: Pool, tables: readonly string[], months: readonly Month[]): Promise<void> {
  const known = seen.get(sql) ?? new Set()
  seen.set(sql, known)
  for (const month of months) {
    if (known.has(month)) continue
    await sql.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(hashtext('partitions'))`
      for (const table of tables) await makePartition(sql, table, month)
    })
    known.add(month)
  }
}

/** By LIKE and ATTACH: CREATE … PARTITION OF would wait for every open reader of the table, and all others behind it. */
async function makePartition(sql: Sql, table: string, month: Month): Promise<void> {
  const name = nameOf(table, month)
  const [found] = await sql`select 1 from pg_class where relname = ${name} and relnamespace = 'public'::regnamespace`
  if (found) return
  // Rows only ever come: without these, the visibility map of a quiet month would never be made.
  await sql`create table ${sql(name)} (like ${sql(table)} including all)
    with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0)`
  const [from, to] = [startOf(month).toISOString(), startOf(month, 1).toISOString()]
  await sql.unsafe(`alter table "${table}" attach partition "${name}" for values from ('${from}') to ('${to}')`)
}

type Partition = { name: string; month: Month; attached: boolean; pending: boolean }

/** The partitions of a table, oldest first; one whose removal was cut short is among them, no longer attached. */
export const partitionsOf = (sql: Sql, table: string) => sql<Partition[]>`
  select c.relname as name, replace(right(c.relname, 7), '_', '-') as month,
         i.inhrelid is not null as attached, coalesce(i.inhdetachpending, false) as pending
  from pg_class c
  left join pg_inherits i on i.inhrelid = c.oid
  where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    and c.relname ~ ${`^${table}_[0-9]{4}_[0-9]{2}$`}
  order by c.relname`

/**
 * Drops the partitions that end at `before` or earlier. `last` is done for each month when nobody can see its rows
 * any more and the table still stands: cut short anywhere, the next run goes on from there.
 */
export async function dropMonthsBefore(
  sql: Pool,
  table: string,
  before: Date,
  last: (month: Month) => Promise<void> = async () => {},
): Promise<Month[]> {
  const expired = (await partitionsOf(sql, table)).filter(({ month }) => startOf(month, 1) <= before)
  for (const { name, month, attached, pending } of expired) {
    const how = pending ? 'finalize' : 'concurrently'
    // Outside a transaction, so that neither readers nor writers of the table wait.
    if (attached) await sql.unsafe(`alter table "${table}" detach partition "${name}" ${how}`)
    await last(month)
    await sql`drop table if exists ${sql(name)}`
  }
  return expired.map(({ month }) => month)
}
