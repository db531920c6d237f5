import { DELIVER_JOBS, deliver, deliverUnsent } from '../../core/outbox.ts'
import type { Backends } from './backends.ts'
import type { Portal } from './portal.ts'
import { real } from './real.ts'
import type { World } from './world.ts'

/** Jobs of a process that run at the same time. */
const CONCURRENCY = 2
const POLL_MS = 2_000
/** As graphile-worker: after this time a job of a process that has died runs again. */
const LOCKED_MS = 4 * 3_600_000
/** Scheduled jobs run once a minute. */
const SCHEDULE_MS = 60_000

type Job = { id: number; task: string; payload: { id: number }; attempts: number }

/** Start of the runs of `deliver` by process and message, for the check of its lease. */
export type Deliveries = Map<string, number>
export const deliveryKey = (owner: string, messageId: number) => `${owner} ${messageId}`

/**
 * The job queue: the tables and functions of graphile-worker, with a worker of a few lines instead of its own, whose
 * polling would make up most of the steps. A job runs again when it failed, and hours after its process has died.
 */
export function runJobs(world: World, backends: Backends, portal: Portal, deliveries: Deliveries): void {
  const { owner, db, channels } = portal
  const at = () => new real.Date(world.nowMs())
  const delivers: string[] = Object.values(DELIVER_JOBS)

  const take = async () => {
    const [job] = await backends.ask<Job>(
      `update graphile_worker._private_jobs j
       set locked_at = $1, locked_by = $2, attempts = attempts + 1, updated_at = $1
       from graphile_worker._private_tasks t
       where t.id = j.task_id and j.id = (
         select id from graphile_worker._private_jobs
         where run_at <= $1 and attempts < max_attempts and (locked_at is null or locked_at < $3)
         order by priority, run_at, id limit 1)
       returning j.id, t.identifier as task, j.payload, j.attempts`,
      [at(), owner.name, new real.Date(world.nowMs() - LOCKED_MS)],
    )
    return job
  }
  const complete = ({ id }: Job) => backends.ask('delete from graphile_worker._private_jobs where id = $1', [id])
  const fail = ({ id, attempts }: Job) =>
    backends.ask(
      `update graphile_worker._private_jobs
       set locked_at = null, locked_by = null, run_at = greatest(run_at, $2) where id = $1`,
      [id, new real.Date(world.nowMs() + 1_000 * Math.exp(Math.min(attempts, 10)))],
    )

  const work = async () => {
    for (;;) {
      const job = await world.call(owner, 'job: take', take)
      if (!job) {
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
        continue
      }
      if (!delivers.includes(job.task)) throw new Error(`unknown job ${job.task}`)
      try {
        deliveries.set(deliveryKey(owner.name, job.payload.id), world.nowMs())
        await deliver(db, job.payload.id, { channels, now: new Date() })
        await world.call(owner, 'job: complete', () => complete(job))
      } catch (error) {
        world.record(owner, `job failed: ${(error as Error).message}`)
        await world.call(owner, 'job: fail', () => fail(job))
      }
    }
  }
  world.run(owner, () => {
    for (let worker = 0; worker < CONCURRENCY; worker++) void work()
  })
}

/** Runs the scheduled jobs once a minute, each in one process. */
export function schedule(world: World, owner: Portal['owner'], pick: () => Portal | undefined, tickets: boolean): void {
  const start = (name: string, work: (portal: Portal) => Promise<void>) => {
    const portal = pick()
    if (!portal) return
    world.run(portal.owner, () => {
      work(portal).catch((error: Error) => world.record(portal.owner, `${name} failed: ${error.message}`))
    })
  }
  const tick = () => {
    start('deliver-unsent', ({ db, channels }) => deliverUnsent(db, { channels, now: new Date() }))
    if (tickets) start('sync-tickets', (portal) => portal.syncTickets())
  }
  world.addTimer(
    owner,
    1 + world.random.below(SCHEDULE_MS),
    () => {
      tick()
      world.addTimer(owner, SCHEDULE_MS, tick, SCHEDULE_MS)
    },
    null,
  )
}
