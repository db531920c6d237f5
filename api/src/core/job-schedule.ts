import { DAY_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { parseCronItem } from 'graphile-worker'
import type pg from 'pg'
import type { Database } from './database.ts'
import { sql } from './statement.ts'

/** `cron` is in UTC; the latest run missed is caught up within `catchUp`, in days: `1d`. */
export type ScheduledJob = { name: string; cron: string; catchUp?: string }

/** How often the database is asked for its time. */
const TICK_MS = 5_000
/** A run that was missed by this much is made up for, also without `catchUp`. */
const GRACE_MS = 2 * MINUTE_MS

type JobPlan = { name: string; catchUpMs: number; isDue: (minute: Date) => boolean }
type LastRun = { now: Date; identifier: string | null; last: Date | null }
type Run = { name: string; at: Date }

/** Last runs, by the clock of the database. One in the future is ignored: the clock that wrote it was ahead. */
const LAST_RUNS = `
  select n.now, k.identifier,
         case when k.last_execution <= n.now + interval '1 minute' then k.last_execution end as last
  from (select clock_timestamp() as now) n
  left join graphile_worker._private_known_crontabs k on true`

/**
 * Adds the jobs of these runs, except where another process has added one for this time or a later one, or an earlier job
 * still waits. Times and waiting jobs in the future are ignored: the clock that wrote them was ahead. The table is that of
 * the schedule of graphile-worker, so that versions which use that schedule do not run the jobs twice.
 */
const ADD_JOBS = `
  with run as (
    select * from unnest($1::text[], $2::timestamptz[]) as r (identifier, at)
  ), taken as (
    insert into graphile_worker._private_known_crontabs as k (identifier, known_since, last_execution)
    select identifier, at, at from run
    on conflict (identifier) do update set last_execution = excluded.last_execution
      where k.last_execution is null or k.last_execution < excluded.last_execution
         or k.last_execution > clock_timestamp() + interval '1 minute'
    returning identifier
  )
  select graphile_worker.add_job(identifier, '{}'::json, run_at := at, max_attempts := 1)
  from run join taken using (identifier)
  where not exists (
    select from graphile_worker.jobs j
    where j.task_identifier = identifier and j.locked_at is null and j.attempts < j.max_attempts
      and j.run_at <= clock_timestamp() + interval '1 minute')`

/**
 * Schedules recurring jobs by the clock of the database until stopped: that of a process may be wrong. `onFailure` is called
 * with the first error of a run of failures.
 */
export function startSchedule(
  pool: pg.Pool,
  recurring: readonly ScheduledJob[],
  onFailure: (error: unknown) => void,
): { stop: () => Promise<void> } {
  const planned = recurring.map(plan)
  const stopping = Promise.withResolvers<void>()
  let isStopped = false

  const tick = async () => {
    const { rows } = await pool.query<LastRun>(LAST_RUNS)
    const now = rows[0]?.now
    if (!now) return
    const runs = planned.flatMap((task) =>
      dueRun(
        task,
        now,
        rows.find(({ identifier }) => identifier === task.name),
      ),
    )
    if (runs.length > 0) await pool.query(ADD_JOBS, [runs.map(({ name }) => name), runs.map(({ at }) => at)])
  }
  let hasFailed = false
  const run = async () => {
    while (!isStopped) {
      await tick().then(
        () => {
          hasFailed = false
        },
        (error: unknown) => {
          if (!isStopped && !hasFailed) onFailure(error)
          hasFailed = true
        },
      )
      await Promise.race([stopping.promise, new Promise((resolve) => setTimeout(resolve, TICK_MS).unref())])
    }
  }
  const running = run()

  return {
    stop: async () => {
      isStopped = true
      stopping.resolve()
      await running
    },
  }
}

function plan({ name, cron, catchUp = '0d' }: ScheduledJob): JobPlan {
  const { match } = parseCronItem({ task: name, match: cron })
  return {
    name,
    catchUpMs: Math.max(GRACE_MS, Number.parseInt(catchUp, 10) * DAY_MS),
    isDue: (minute) =>
      match({
        min: minute.getUTCMinutes(),
        hour: minute.getUTCHours(),
        date: minute.getUTCDate(),
        month: minute.getUTCMonth() + 1,
        dow: minute.getUTCDay(),
      }),
  }
}

/** The latest run of a task that is due and was not made, if there is one; those before it are not made up for. */
function dueRun({ name, catchUpMs, isDue }: JobPlan, now: Date, known: LastRun | undefined): Run[] {
  // One that the database does not know yet is new, and catches up with nothing.
  const earliest = +now - (known ? catchUpMs : GRACE_MS)
  const since = Math.max(earliest, known?.last ? +known.last : 0)
  for (let at = Math.floor(+now / MINUTE_MS) * MINUTE_MS; at > since; at -= MINUTE_MS)
    if (isDue(new Date(at))) return [{ name, at: new Date(at) }]
  return []
}

/** When a recurring job was scheduled last, by the clock of the database; null: never, or in the future. */
export async function lastSchedule(db: Database): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(sql`
    select max(last_execution) filter (where last_execution <= now() + interval '1 minute') as at
    from graphile_worker._private_known_crontabs`)
  return row?.at ?? null
}

/** How long ago a recurring job was scheduled last; 0 before the first one. One in the future counts as never. */
export async function secondsSinceSchedule(db: Database): Promise<number> {
  const [row] = await db.query<{ seconds: number | null }>(sql`
    select extract(epoch from now() - coalesce(
             max(last_execution) filter (where last_execution <= now() + interval '1 minute'), min(known_since)))::float8 as seconds
    from graphile_worker._private_known_crontabs`)
  return Math.max(0, row?.seconds ?? 0)
}
