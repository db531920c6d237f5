import type { FastifyBaseLogger } from 'fastify'
import { type LogFunctionFactory, Logger, run, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { clientConfig, type Database, QUERY_TIMEOUT_MS } from './database.ts'
import { deleteInBatches } from './delete-batches.ts'
import { sql } from './statement.ts'

/** Jobs that wait for the same foreign service. Each lane has workers of its own: a service that hangs delays no other job. */
export type Lane = 'mail' | 'sms' | 'tickets'

/** Work that recurs by itself. `cron` is in UTC; a run missed while no process was up is made good within `catchUp`. */
export type RecurringTask = { name: string; cron: string; catchUp?: string; lane?: Lane; work: () => Promise<unknown> }

/** Work that a transaction asks for, by its name and a payload; it is tried again when it throws. */
export type Task = { name: string; lane?: Lane; run: (payload: unknown) => Promise<void> }

type Jobs = { stop: () => Promise<void> }
type Work = { recurring: RecurringTask[]; tasks: Task[] }

/** Jobs of a lane, and of those without one, that run at a time. */
const CONCURRENCY = 2
/** Of all lanes together: one each that listens, and those that take and end jobs. */
const CONNECTIONS = 6
/** Workers are woken for new jobs; so often they look for those whose time has come. */
const POLL_MS = { own: 2_000, lane: 5_000 }

/**
 * Runs the queue in the database: of several processes, one does each job.
 * When the database goes away the runners end; they are started again until they hold.
 */
export function startJobs(databaseUrl: string, work: Work, log: FastifyBaseLogger, timeoutMs = QUERY_TIMEOUT_MS): Jobs {
  const { pool, end } = connectJobs(databaseUrl, log, timeoutMs)
  const lanes = new Set([...work.recurring, ...work.tasks].map(({ lane }) => lane))
  const runners = [...lanes].map((lane) => {
    const isOfLane = (it: { lane?: Lane }) => it.lane === lane
    const ofLane = { recurring: work.recurring.filter(isOfLane), tasks: work.tasks.filter(isOfLane) }
    return runJobs(pool, ofLane, log, lane ? POLL_MS.lane : POLL_MS.own)
  })
  return {
    stop: async () => {
      await Promise.all(runners.map(({ stop }) => stop()))
      await end()
    },
  }
}

/** A pool for the runners. A connection that waits longer for an answer is closed, as `pipeline` has it. */
function connectJobs(connectionString: string, log: FastifyBaseLogger, timeoutMs: number) {
  const pool = new pg.Pool({
    ...clientConfig(connectionString),
    max: CONNECTIONS,
    connectionTimeoutMillis: timeoutMs,
    // For the connections that listen: they wait for no answer.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    pipeline: true,
    query_timeout: timeoutMs,
  })
  const warn = (error: Error) => log.warn({ err: error }, 'jobs: a connection was lost')
  pool.on('error', warn).on('connect', (client) => client.on('error', warn))
  return {
    pool,
    end: () => pool.end().catch(() => {}),
  }
}

/** Runs the jobs of one lane until told to stop. */
function runJobs(pgPool: pg.Pool, { recurring, tasks }: Work, log: FastifyBaseLogger, pollInterval: number): Jobs {
  const taskList = taskListOf(recurring, tasks)
  const crontab = recurring.map(
    ({ name, cron, catchUp }) => `${cron} ${name} ?max=1${catchUp ? `&fill=${catchUp}` : ''}`,
  )
  let stopped = false
  let stopRunner: () => Promise<void> = async () => {}
  let wake: () => void = () => {}

  const runUntilStopped = async () => {
    while (!stopped) {
      try {
        const runner = await run({
          pgPool,
          taskList,
          crontab: crontab.join('\n'),
          concurrency: CONCURRENCY,
          pollInterval,
          preset: SAFE,
          noHandleSignals: true,
          logger: new Logger(toLog(log)),
        })
        stopRunner = () => runner.stop()
        // It may have been told to stop while it was starting.
        if (stopped) await runner.stop()
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
 * The runner writes down how a job ended without waiting for it, and unless it does so in batches, a database that goes
 * away just then ends the whole process by a rejection that nobody handles. In batches, even of one, it ends the runner.
 */
const SAFE = { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } }

/** Every kind of work by its name, as the queue wants it. */
export const taskListOf = (recurring: RecurringTask[], tasks: Task[]): TaskList => {
  const list: TaskList = {}
  for (const { name, work } of recurring) list[name] = async () => void (await work())
  for (const { name, run } of tasks) list[name] = (payload) => run(payload)
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

/** A job that has failed for good stays so long for whoever looks for the reason. */
const FAILED_DAYS = 30

/** Deletes jobs that are not tried again. The queue keeps its own time, that of the database. */
export const deleteFailedJobs = (db: Database): Promise<void> =>
  deleteInBatches((limit) =>
    db.execute(sql`
      select from graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs
        where attempts >= max_attempts and locked_at is null
          and updated_at < now() - make_interval(days => ${FAILED_DAYS})
        order by id limit ${limit}))`),
  )
