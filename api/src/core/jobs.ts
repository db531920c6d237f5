import type { FastifyBaseLogger } from 'fastify'
import { type LogFunctionFactory, Logger, runTaskList, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { clientConfig, type Database, QUERY_TIMEOUT_MS, sendSettings } from './database.ts'
import { deleteInBatches } from './delete-batches.ts'
import { type ScheduledJob, secondsSinceSchedule, startSchedule } from './job-schedule.ts'
import { createSingleRun, type SingleRun } from './single-run.ts'
import { rootSpan } from './spans.ts'
import { sql } from './statement.ts'

/** Jobs of one external service, or those that take long. Each lane has its own workers: it delays no other jobs. */
export type Lane = 'mail' | 'sms' | 'stamps' | 'tickets' | 'long'

/** A recurring job, by the clock of the database: one run waits at most, and one runs. */
export type RecurringTask = ScheduledJob & { lane?: Lane; work: () => Promise<unknown> }

/** A job enqueued by a transaction, by name and payload; retried when it throws. */
export type Task = { name: string; lane?: Lane; run: (payload: unknown) => Promise<void> }

type Jobs = { stop: () => Promise<void> }
export type JobDefinitions = { recurring: RecurringTask[]; tasks: Task[] }

/** Concurrent jobs per lane, and of those without a lane. */
const CONCURRENCY = 2
/** Those that take and complete jobs, and that of the locks of recurring ones; besides one to LISTEN for each lane. */
const CONNECTIONS = 3
/** Poll interval for delayed jobs; NOTIFY wakes workers for new ones. */
const POLL_MS = { own: 2_000, lane: 5_000 }

/**
 * Runs the database job queue: each job runs in one process. Runners that end with the database connection are
 * restarted.
 */
export function startJobs(
  databaseUrl: string,
  work: JobDefinitions,
  log: FastifyBaseLogger,
  timeoutMs = QUERY_TIMEOUT_MS,
): Jobs {
  const lanes = new Set([...work.recurring, ...work.tasks].map(({ lane }) => lane))
  const { pool, end } = connectJobs(databaseUrl, CONNECTIONS + lanes.size, log, timeoutMs)
  const single = createSingleRun(pool)
  const runners = [...lanes].map((lane) => {
    const isOfLane = (it: { lane?: Lane }) => it.lane === lane
    const tasks = taskListOf(work.recurring.filter(isOfLane), work.tasks.filter(isOfLane), single.run)
    return runJobs(pool, tasks, log, lane ? POLL_MS.lane : POLL_MS.own)
  })
  const schedule = startSchedule(pool, work.recurring, (error) => log.warn({ err: error }, 'jobs: not scheduled'))
  return {
    stop: async () => {
      await schedule.stop()
      await Promise.all(runners.map(({ stop }) => stop()))
      await single.end()
      await end()
    },
  }
}

/** A pool for the runners. A connection without a response in time is closed, through `pipeline`. */
function connectJobs(connectionString: string, max: number, log: FastifyBaseLogger, timeoutMs: number) {
  const pool = new JobPool({
    ...clientConfig(connectionString),
    max,
    connectionTimeoutMillis: timeoutMs,
    // For LISTEN connections, which have no query timeout.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    query_timeout: timeoutMs,
  })
  const warn = (error: Error) => log.warn({ err: error }, 'jobs: a connection was lost')
  pool.on('error', warn).on('connect', (client) => {
    client.on('error', warn)
    sendSettings(client)
  })
  return {
    pool,
    end: () => pool.end().catch(() => {}),
  }
}

/** There is nothing to release when no connection was made. */
type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release?: (error?: Error | boolean) => void,
) => void

/**
 * A pool whose connections may be released twice. A runner does so with the connection that listens if it stops before
 * the answer to `LISTEN`, which would end the process by an unhandled rejection.
 */
class JobPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    if (!callback) return super.connect()
    super.connect((error, client, release: Parameters<ConnectCallback>[2]) => {
      let isReleased = false
      callback(error, client, (reason) => {
        if (!isReleased) release?.(reason)
        isReleased = true
      })
    })
    return undefined
  }
}

/** Runs the jobs of one lane until stopped. */
function runJobs(pgPool: pg.Pool, taskList: TaskList, log: FastifyBaseLogger, pollInterval: number): Jobs {
  let stopped = false
  let stopRunner: () => Promise<void> = async () => {}
  let wake: () => void = () => {}

  const runUntilStopped = async () => {
    while (!stopped) {
      try {
        const options = {
          concurrency: CONCURRENCY,
          pollInterval,
          preset: BATCHED_COMPLETION,
          noHandleSignals: true,
          logger: new Logger(toLog(log)),
        }
        const runner = runTaskList(options, taskList, pgPool)
        stopRunner = async () => void (await runner.gracefulShutdown())
        await runner.promise
      } catch (error) {
        if (!stopped) log.warn({ err: error }, 'jobs: the runner stopped, it starts again in 5 s')
      }
      if (!stopped)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, 5_000).unref()
        })
    }
  }
  const running = runUntilStopped()

  return {
    stop: async () => {
      stopped = true
      wake()
      await stopRunner().catch(() => {})
      await running
    },
  }
}

/**
 * Completes jobs in batches, even of one. Otherwise a database lost at that moment ends the process by an unhandled
 * rejection; in batches it only ends the runner.
 */
const BATCHED_COMPLETION = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

/** All jobs by name, for graphile-worker. `single` limits the runs of a recurring one. */
export const taskListOf = (
  recurring: RecurringTask[],
  tasks: Task[],
  single: SingleRun = async (_name, work) => void (await work()),
): TaskList => {
  const list: TaskList = {}
  const traced = (name: string, work: () => Promise<unknown>) =>
    rootSpan(`job ${name}`, { 'rogatka.job': name }, async () => void (await work()))
  for (const { name, work } of recurring) list[name] = () => single(name, () => traced(name, work))
  for (const { name, run } of tasks) list[name] = (payload) => traced(name, () => run(payload))
  return list
}

const toLog =
  (log: FastifyBaseLogger): LogFunctionFactory =>
  () =>
  (level, message, meta) => {
    if (level === 'error') log.error({ meta }, `jobs: ${message}`)
    else if (level === 'warning') log.warn(`jobs: ${message}`)
    else log.debug(`jobs: ${message}`)
  }

/** Retention of permanently failed jobs, for troubleshooting. */
const FAILED_DAYS = 30

/** Deletes jobs that are not retried. The queue uses the clock of the database. */
export const deleteFailedJobs = (db: Database): Promise<void> =>
  deleteInBatches((limit) =>
    db.execute(sql`
      select from graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs
        where attempts >= max_attempts and locked_at is null
          and updated_at < now() - make_interval(days => ${FAILED_DAYS})
        order by id limit ${limit}))`),
  )

/**
 * Jobs that are not retried; for how many seconds the oldest one that is due has waited, 0: none waits; and how long ago a
 * recurring job was scheduled last. By the clock of the database.
 */
export async function jobFigures(
  db: Database,
): Promise<{ failed: number; oldestSeconds: number; scheduledSeconds: number }> {
  const [row] = await db.query<{ failed: number; oldestSeconds: number | null }>(sql`
    select count(*) filter (where attempts >= max_attempts and locked_at is null)::int as failed,
           extract(epoch from now() - min(run_at) filter (
             where attempts < max_attempts and locked_at is null and run_at <= now()))::float8 as "oldestSeconds"
    from graphile_worker.jobs`)
  return {
    failed: row?.failed ?? 0,
    oldestSeconds: row?.oldestSeconds ?? 0,
    scheduledSeconds: await secondsSinceSchedule(db),
  }
}
