import type { Database, Pool } from './database.ts'
import { LOCKS } from './locks.ts'
import { Refusal } from './refusal.ts'
import { identifier, raw, sql } from './statement.ts'

/** How much time a new partition holds: a month, or a week from its Monday, in UTC. */
export const partitionUnits = ['month', 'week'] as const
export type PartitionUnit = (typeof partitionUnits)[number]

/** [from, to), between midnights in UTC. */
export type Interval = { from: Date; to: Date }

const DAY_MS = 86_400_000

/** A month in UTC, as the names of partitions and folders have it: `2026-11`. */
type Month = string

export const monthOf = (at: Date): Month => at.toISOString().slice(0, 7)

/** When a month begins; with 1 for `later`, when it ends. */
export function startOf(month: Month, later = 0): Date {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + later))
}

const daysFrom = (day: Date, count: number) => new Date(day.getTime() + count * DAY_MS)

const midnightOf = (at: Date) => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)

/** The midnight at or before `from`, and all after it up to `to`. */
export function daysBetween(from: Date, to: Date): Date[] {
  const days: Date[] = []
  for (let day = midnightOf(from); day <= to; day = daysFrom(day, 1)) days.push(day)
  return days
}

/** The month or the week that holds an instant. */
export function intervalAt(at: Date, unit: PartitionUnit): Interval {
  if (unit === 'month') return { from: startOf(monthOf(at)), to: startOf(monthOf(at), 1) }
  const midnight = midnightOf(at)
  const monday = daysFrom(midnight, -((midnight.getUTCDay() + 6) % 7))
  return { from: monday, to: daysFrom(monday, 7) }
}

const holds =
  (at: Date) =>
  ({ from, to }: Interval): boolean =>
    from <= at && at < to

/** What is free around an instant, within its month or week: a span that was changed leaves neither gap nor overlap. */
function freeAround(at: Date, unit: PartitionUnit, taken: readonly Interval[]): Interval {
  const { from, to } = intervalAt(at, unit)
  const before = taken.filter((one) => one.to <= at).map((one) => one.to.getTime())
  const after = taken.filter((one) => one.from > at).map((one) => one.from.getTime())
  return { from: new Date(Math.max(+from, ...before)), to: new Date(Math.min(+to, ...after)) }
}

/** A whole month by its name, `2026-11`; anything else by its first day and how many there are, `2026-11-02-7`. */
function labelOf({ from, to }: Interval): string {
  const whole = intervalAt(from, 'month')
  if (+whole.from === +from && +whole.to === +to) return monthOf(from)
  return `${from.toISOString().slice(0, 10)}-${(+to - +from) / DAY_MS}`
}

function intervalOf(label: string): Interval {
  const [year, month, day, days] = label.split('-')
  if (!day) return intervalAt(new Date(`${label}-01`), 'month')
  const from = new Date(`${year}-${month}-${day}`)
  return { from, to: daysFrom(from, Number(days)) }
}

/**
 * What this process has seen to exist, by table. What went meanwhile is beyond the retention, so nobody asks for it.
 */
const seen = new WeakMap<Pool, Map<string, Interval[]>>()

/** Forgets what was seen, after a row found no partition. */
export const clearPartitionCache = (db: Pool) => seen.delete(db)

/** Months or weeks whose partitions one transaction makes: it locks all their tables and indexes until its end. */
const UNITS_PER_TRANSACTION = 10
/** Months or weeks that one call makes: the sender of what needs more comes again, and goes on from there. */
const MAX_NEW_UNITS = 60

/**
 * Makes the partitions of these instants where there are none; of several processes one makes each.
 * @throws a refusal (503) if so many are missing that it takes longer than a sender waits; those made so far stay
 */
export async function ensurePartitions(
  db: Pool,
  tables: readonly string[],
  instants: readonly Date[],
  unit: PartitionUnit,
): Promise<void> {
  const known = seen.get(db) ?? new Map<string, Interval[]>()
  seen.set(db, known)
  const isMissing = (day: Date) => tables.some((table) => !known.get(table)?.some(holds(day)))
  // A batch has hundreds of instants and hardly ever more than one day.
  const days = [...new Set(instants.map((at) => +midnightOf(at)))].sort((a, b) => a - b).map((day) => new Date(day))
  if (!days.some(isMissing)) return
  for (const table of tables) known.set(table, await partitionsOf(db, table))
  const units = [...Map.groupBy(days.filter(isMissing), (day) => +intervalAt(day, unit).from).values()]
  for (let from = 0; from < units.length; from += UNITS_PER_TRANSACTION) {
    if (from === MAX_NEW_UNITS) throw new Refusal('unavailable', 503, null, 1)
    const part = units.slice(from, from + UNITS_PER_TRANSACTION).flat()
    const standing = await db.transaction(async (db) => {
      await db.query(sql`select pg_advisory_xact_lock(${LOCKS.partitions})`)
      const standing: [string, Interval[]][] = []
      for (const table of tables) standing.push([table, await createMissing(db, table, part, unit)])
      return standing
    })
    for (const [table, stretches] of standing) known.set(table, stretches)
  }
}

/** Makes the partitions of one table that hold these days; returns all that it has. */
async function createMissing(
  db: Database,
  table: string,
  days: readonly Date[],
  unit: PartitionUnit,
): Promise<Interval[]> {
  const standing: Interval[] = await partitionsOf(db, table)
  for (const day of days) {
    if (standing.some(holds(day))) continue
    const free = freeAround(day, unit, standing)
    await createPartition(db, table, free)
    standing.push(free)
  }
  return standing
}

/** By LIKE and ATTACH: CREATE … PARTITION OF would wait for every open reader of the table, and all others behind it. */
async function createPartition(db: Database, table: string, interval: Interval): Promise<void> {
  const name = `${table}_${labelOf(interval).replaceAll('-', '_')}`
  // Rows only ever come: without these, the visibility map of a quiet month would never be made.
  await db.execute(sql`create table ${identifier(name)} (like ${identifier(table)} including all)
    with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0)`)
  const [from, to] = [interval.from.toISOString(), interval.to.toISOString()]
  await db.query(raw(`alter table "${table}" attach partition "${name}" for values from ('${from}') to ('${to}')`))
}

type Partition = Interval & { name: string; label: string; attached: boolean; pending: boolean }

/** The partitions of a table, oldest first; one whose removal was cut short is among them, no longer attached. */
export async function partitionsOf(db: Database, table: string): Promise<Partition[]> {
  const rows = await db.query<Omit<Partition, keyof Interval>>(sql`
    select c.relname as name, replace(substr(c.relname, ${table.length + 2}), '_', '-') as label,
           i.inhrelid is not null as attached, coalesce(i.inhdetachpending, false) as pending
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and c.relname ~ ${`^${table}_[0-9]{4}_[0-9]{2}(_[0-9]{2}_[0-9]+)?$`}`)
  return rows.map((row) => ({ ...row, ...intervalOf(row.label) })).sort((a, b) => +a.from - +b.from)
}

/**
 * From the beginning of the first attached partition to the end of the last. By their names: to read a bound takes a
 * lock on its partition, for which a search would wait.
 */
export async function extentOf(db: Database, table: string): Promise<Interval | undefined> {
  const rows = await db.query<{ label: string }>(sql`
    select replace(substr(c.relname, ${table.length + 2}), '_', '-') as label
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass and not i.inhdetachpending`)
  const stretches = rows.map(({ label }) => intervalOf(label)).sort((a, b) => +a.from - +b.from)
  const [first, last] = [stretches[0], stretches.at(-1)]
  return first && last && { from: first.from, to: last.to }
}

/**
 * Drops the partitions that end at `before` or earlier. `last` is done for each when nobody can see its rows any more
 * and the table still stands: cut short anywhere, the next run goes on from there.
 */
export async function dropPartitionsBefore(
  db: Pool,
  table: string,
  before: Date,
  last: (interval: Interval) => Promise<void> = async () => {},
): Promise<void> {
  for (const { name, attached, pending, from, to } of await partitionsOf(db, table)) {
    if (to > before) continue
    const how = pending ? 'finalize' : 'concurrently'
    // Outside a transaction, so that neither readers nor writers of the table wait.
    if (attached) await db.query(raw(`alter table "${table}" detach partition "${name}" ${how}`))
    await last({ from, to })
    await db.execute(sql`drop table if exists ${identifier(name)}`)
  }
}
