import type { FastifyBaseLogger } from 'fastify'
import { type LogFunctionFactory, Logger, run, type TaskList } from 'graphile-worker'
import type { Sql } from './database.ts'

/** Work that recurs by itself. `cron` is in UTC; a run missed while no process was up is made good within `catchUp`. */
export type Recurring = { name: string; cron: string; catchUp?: string; work: () => Promise<unknown> }

/** Work that a transaction asks for, by its name and a payload; it is tried again when it throws. */
export type Task = { name: string; run: (payload: unknown) => Promise<void> }

type Jobs = { stop: () => Promise<void> }

/**
 * Runs the queue in the database: of several processes, one does each job.
 * When the database goes away the runner ends; it is started again until it holds.
 */
export function startJobs(
  databaseUrl: string,
  { recurring, tasks }: { recurring: Recurring[]; tasks: Task[] },
  log: FastifyBaseLogger,
): Jobs {
  const taskList = taskListOf(recurring, tasks)
  const crontab = recurring.map(
    ({ name, cron, catchUp }) => `${cron} ${name} ?max=1${catchUp ? `&fill=${catchUp}` : ''}`,
  )
  let stopped = false
  let stopRunner: () => Promise<void> = async () => {}
  let wake: () => void = () => {}

  const keepRunning = async () => {
    while (!stopped) {
      try {
        const runner = await run({
          connectionString: databaseUrl,
          taskList,
          crontab: crontab.join('\n'),
          concurrency: 2,
          maxPoolSize: 4,
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
  const running = keepRunning()

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
export const taskListOf = (recurring: Recurring[], tasks: Task[]): TaskList => {
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
export const deleteFailedJobs = (sql: Sql) => sql`
  select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs
    where attempts >= max_attempts and locked_at is null and updated_at < now() - make_interval(days => ${FAILED_DAYS})))`
