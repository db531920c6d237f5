import { setTimeout as sleep } from 'node:timers/promises'
import { DAY_MS, type Interval, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import type { Database, Pool } from './database.ts'
import { LOCKS } from './locks.ts'
import { Refusal } from './refusal.ts'
import { identifier, raw, type Statement, sql } from './statement.ts'

/** Time range of a new partition of vehicles: a month, or a week from Monday, in UTC. */
export const partitionUnits = ['month', 'week'] as const
export type PartitionUnit = (typeof partitionUnits)[number]
type Unit = PartitionUnit | 'year'

/** A month in UTC, as in names of partitions and folders: `2026-11`. */
type Month = string

export const monthOf = (at: Date): Month => at.toISOString().slice(0, 7)

/** Start of a month, or with `later` of a following one. */
export function startOf(month: Month, later = 0): Date {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + later))
}

const startOfYear = (year: number) => new Date(Date.UTC(year, 0))

const daysFrom = (day: Date, count: number) => new Date(day.getTime() + count * DAY_MS)

const midnightOf = (at: Date) => new Date(Math.floor(at.getTime() / DAY_MS) * DAY_MS)

/** The midnights from that at or before `from` up to `to`, both inclusive, in UTC. */
export function daysBetween(from: Date, to: Date): Date[] {
  const days: Date[] = []
  for (let day = midnightOf(from); day <= to; day = daysFrom(day, 1)) days.push(day)
  return days
}

/** The year, month or week that contains an instant, between midnights in UTC. */
export function intervalAt(at: Date, unit: Unit): Interval {
  if (unit === 'year') return { from: startOfYear(at.getUTCFullYear()), to: startOfYear(at.getUTCFullYear() + 1) }
  if (unit === 'month') return { from: startOf(monthOf(at)), to: startOf(monthOf(at), 1) }
  const midnight = midnightOf(at)
  const monday = daysFrom(midnight, -((midnight.getUTCDay() + 6) % 7))
  return { from: monday, to: daysFrom(monday, 7) }
}

const contains =
  (at: Date) =>
  ({ from, to }: Interval): boolean =>
    from <= at && at < to

/**
 * The interval around an instant without partitions, within its year, month or week: changing the unit leaves neither gap nor
 * overlap.
 */
function freeAround(at: Date, unit: Unit, existing: readonly Interval[]): Interval {
  const { from, to } = intervalAt(at, unit)
  const before = existing.filter((interval) => interval.to <= at).map((interval) => interval.to.getTime())
  const after = existing.filter((interval) => interval.from > at).map((interval) => interval.from.getTime())
  return { from: new Date(Math.max(+from, ...before)), to: new Date(Math.min(+to, ...after)) }
}

/** `2026-11` for a whole month, else first day and number of days: `2026-11-02-7`. */
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

/** Cache of existing partitions by table. Dropped ones are beyond the retention, so nobody needs them. */
const existingPartitions = new WeakMap<Pool, Map<string, Interval[]>>()

/** Clears the cache, after a row found no partition. */
export const clearPartitionCache = (db: Pool) => existingPartitions.delete(db)

/** Units created per transaction, which locks all their tables and indexes until its end. */
const UNITS_PER_TRANSACTION = 10
/** Maximum number of units per call; the sender retries for more. */
const MAX_NEW_UNITS = 60

type CreatePartition = (db: Database, table: string, interval: Interval) => Promise<unknown>

/**
 * Creates missing partitions for these instants; concurrent processes create each once. `create` does so for one.
 * @throws 503 if more are missing than a sender can wait for; those created so far are kept
 */
export async function ensurePartitions(
  db: Pool,
  tables: readonly string[],
  instants: readonly Date[],
  unit: Unit,
  create: CreatePartition = createPartition,
): Promise<void> {
  const knownIntervals = existingPartitions.get(db) ?? new Map<string, Interval[]>()
  existingPartitions.set(db, knownIntervals)
  const isMissing = (day: Date) => tables.some((table) => !knownIntervals.get(table)?.some(contains(day)))
  // A batch has hundreds of instants, but mostly of one day.
  const days = [...new Set(instants.map((at) => +midnightOf(at)))].sort((a, b) => a - b).map((day) => new Date(day))
  if (!days.some(isMissing)) return
  for (const table of tables) knownIntervals.set(table, await listPartitions(db, table))
  const units = [...Map.groupBy(days.filter(isMissing), (day) => +intervalAt(day, unit).from).values()]
  for (let from = 0; from < units.length; from += UNITS_PER_TRANSACTION) {
    if (from === MAX_NEW_UNITS) throw new Refusal('unavailable', 503, null, 1)
    const part = units.slice(from, from + UNITS_PER_TRANSACTION).flat()
    const existing = await db.transaction(async (db) => {
      await db.query(sql`select pg_advisory_xact_lock(${LOCKS.partitions})`)
      const existing: [string, Interval[]][] = []
      for (const table of tables) existing.push([table, await createMissing(db, table, part, unit, create)])
      return existing
    })
    for (const [table, intervals] of existing) knownIntervals.set(table, intervals)
  }
}

/** Creates the partitions of a table for these days; returns all of the table. */
async function createMissing(
  db: Database,
  table: string,
  days: readonly Date[],
  unit: Unit,
  create: CreatePartition,
): Promise<Interval[]> {
  const existing: Interval[] = await listPartitions(db, table)
  for (const day of days) {
    if (existing.some(contains(day))) continue
    const free = freeAround(day, unit, existing)
    await create(db, table, free)
    existing.push(free)
  }
  return existing
}

/** By LIKE and ATTACH: CREATE … PARTITION OF would wait for all readers of the table, and block others meanwhile. */
async function createPartition(db: Database, table: string, interval: Interval): Promise<void> {
  const name = `${table}_${labelOf(interval).replaceAll('-', '_')}`
  // Tables are insert-only: without these settings the visibility map of a month with little traffic would not be
  // built.
  await db.execute(sql`create table ${identifier(name)} (like ${identifier(table)} including all)
    with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0)`)
  const [from, to] = [interval.from.toISOString(), interval.to.toISOString()]
  await db.query(raw(`alter table "${table}" attach partition "${name}" for values from ('${from}') to ('${to}')`))
}

type Partition = Interval & { name: string; label: string; attached: boolean; pending: boolean }

/** The partitions of a table, oldest first, including a detached one whose removal was interrupted. */
export async function listPartitions(db: Database, table: string): Promise<Partition[]> {
  const rows = await db.query<Omit<Partition, keyof Interval>>(sql`
    select c.relname as name, replace(substr(c.relname, ${table.length + 2}), '_', '-') as label,
           i.inhrelid is not null as attached, coalesce(i.inhdetachpending, false) as pending
    from pg_class c
    left join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and c.relname ~ ${`^${table}_[0-9]{4}_[0-9]{2}(_[0-9]{2}_[0-9]+)?$`}`)
  return rows.map((row) => ({ ...row, ...intervalOf(row.label) })).sort((a, b) => +a.from - +b.from)
}

/** The labels of the attached partitions of a table, as one array; null: there are none. */
export const attachedLabels = (table: string): Statement => sql`
  select array_agg(replace(substr(c.relname, ${table.length + 2}), '_', '-'))
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  where i.inhparent = ${table}::regclass and not i.inhdetachpending`

/**
 * From the start of the first of these partitions to the end of the last, from their names: reading a bound would lock
 * the partition and block searches.
 */
export function extentOfLabels(labels: readonly string[]): Interval | undefined {
  const intervals = labels.map(intervalOf).sort((a, b) => +a.from - +b.from)
  const [first, last] = [intervals[0], intervals.at(-1)]
  return first && last && { from: first.from, to: last.to }
}

/** The extent of the attached partitions of a table. */
export async function extentOf(db: Database, table: string): Promise<Interval | undefined> {
  const [row] = await db.query<{ labels: string[] | null }>(sql`select (${attachedLabels(table)}) as labels`)
  return extentOfLabels(row?.labels ?? [])
}

/** How long a removal waits for those who read a partition; a later run goes on. */
export type RemovalLimits = {
  /** For transactions that have locked the table, as a dump does; others are not delayed meanwhile. */
  detachMs: number
  /** For a lock that delays others. */
  lockMs: number
  /** Attempts to get such a lock, and the time between them. */
  attempts: number
  delayMs: number
}

export const REMOVAL_LIMITS: RemovalLimits = { detachMs: 30 * MINUTE_MS, lockMs: 2_000, attempts: 10, delayMs: 5_000 }

/** Number of partitions that end at or before `before`, also of those that are detached. */
export const countPartitionsBefore = async (db: Database, table: string, before: Date): Promise<number> =>
  (await listPartitions(db, table)).filter(({ to }) => to <= before).length

/**
 * Drops the partitions that end at or before `before`, oldest first. `beforeDrop` runs for each after its rows are detached
 * and before its table is dropped: an interrupted run is completed by the next. Returns the first partition that others read
 * for too long, which a later run drops with those after it.
 */
export async function dropPartitionsBefore(
  db: Pool,
  table: string,
  before: Date,
  beforeDrop: (interval: Interval) => Promise<void> = async () => {},
  limits = REMOVAL_LIMITS,
): Promise<string[]> {
  for (const { name, attached, pending, from, to } of await listPartitions(db, table)) {
    if (to > before) continue
    // Those after it have to wait, as PostgreSQL detaches no other one while this one is pending.
    if (attached && !(await detachPartition(db, { table, name, pending }, limits))) return [name]
    await beforeDrop({ from, to })
    const isDropped = await withShortLock(db, limits, (db) => db.execute(sql`drop table if exists ${identifier(name)}`))
    if (!isDropped) return [name]
  }
  return []
}

/** Returns whether the partition is detached. */
async function detachPartition(
  db: Pool,
  { table, name, pending }: { table: string; name: string; pending: boolean },
  limits: RemovalLimits,
): Promise<boolean> {
  const detach = `alter table "${table}" detach partition "${name}"`
  // Citus cannot detach concurrently. What was interrupted is completed under a lock of the partition.
  if (pending || (await db.hasCitus()))
    return withShortLock(db, limits, (db) => db.query(raw(`${detach}${pending ? ' finalize' : ''}`)))
  // Outside a transaction; it waits for those that have locked the table, and delays none.
  const connection = await db.open(undefined, limits.detachMs)
  try {
    return await isDone(connection.query(raw(`${detach} concurrently`)))
  } finally {
    connection.close()
  }
}

/** Runs a statement whose lock delays others, several times if it is not available. Returns whether it was. */
export async function withShortLock(
  db: Pool,
  { lockMs, attempts, delayMs }: RemovalLimits,
  run: (db: Database) => Promise<unknown>,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const running = db.transaction(async (db) => {
      await db.query(sql`select set_config('lock_timeout', ${String(lockMs)}, true)`)
      await run(db)
    })
    if (await isDone(running)) return true
    if (attempt === attempts) return false
    await sleep(delayMs)
  }
}

/** False if a lock was not available in time, or it was given up for a deadlock or for taking too long. */
const isDone = (running: Promise<unknown>): Promise<boolean> =>
  running.then(
    () => true,
    (error: { code?: string }) => {
      if (/^(55P03|40P01|57014)$/.test(error.code ?? '')) return false
      throw error
    },
  )
