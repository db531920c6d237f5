import { expect, onTestFinished, test, vi } from 'vitest'
import { startProxy } from '../testing/proxy.ts'
import { eventually, testApi } from '../testing/test-api.ts'
import { type RecurringTask, startJobs, type Task } from './jobs.ts'
import { sql } from './statement.ts'

test('a job that fails as the database connection is lost does not stop later jobs', async () => {
  const api = await testApi()
  const done: string[] = []
  const bringBack = Promise.withResolvers<() => Promise<void>>()
  const tasks: Task[] = [
    {
      name: 'lose',
      run: async () => {
        bringBack.resolve(await api.loseDatabase())
        throw new Error('the database is away')
      },
    },
    { name: 'note', run: async () => void done.push('note') },
  ]
  const warned: string[] = []
  const log = { error: () => {}, debug: () => {}, warn: (...said: unknown[]) => void warned.push(String(said.at(-1))) }
  const jobs = startJobs(api.url, { recurring: [], tasks }, log as never)
  onTestFinished(jobs.stop)
  await eventually(() => api.db.query(sql`select graphile_worker.add_job('lose', '{}'::json, max_attempts := 1)`))
  const back = await bringBack.promise
  // Unavailable until the runner notices.
  await eventually(() => expect(warned.join()).toContain('the runner stopped'))
  await back()
  await eventually(() => api.db.query(sql`select graphile_worker.add_job('note', '{}'::json)`))
  await eventually(() => expect(done).toEqual(['note']))
})

test('jobs continue after their connections stop responding', async () => {
  const api = await testApi()
  const proxy = await startProxy(api.url)
  const done: unknown[] = []
  const tasks: Task[] = [{ name: 'note', run: async (payload) => void done.push(payload) }]
  const log = { error: () => {}, debug: () => {}, warn: () => {} }
  const jobs = startJobs(proxy.url, { recurring: [], tasks }, log as never, 1_000)
  onTestFinished(jobs.stop)
  const add = (place: number) => api.db.query(sql`select graphile_worker.add_job('note', to_json(${place}::int))`)
  await eventually(() => add(1))
  await eventually(() => expect(done).toEqual([1]))
  proxy.freeze()
  proxy.thaw()
  // On a slow machine the answer that hands out a job may come after the timeout, and that job stays locked.
  await eventually(async () => {
    await add(2)
    expect(done).toContain(2)
  })
})

test('jobs stop while their connections stop responding', async () => {
  const api = await testApi()
  const proxy = await startProxy(api.url)
  const listening = Promise.withResolvers<void>()
  const debug = (said: string) => {
    if (!said.includes('Worker connected')) return
    proxy.freeze()
    listening.resolve()
  }
  const tasks: Task[] = [{ name: 'note', run: async () => {} }]
  const jobs = startJobs(proxy.url, { recurring: [], tasks }, { error: () => {}, debug, warn: () => {} } as never, 400)
  await listening.promise
  // A second release of the connection that listens would end the process by an unhandled rejection.
  await jobs.stop()
})

const log = { error: () => {}, debug: () => {}, warn: () => {} } as never

test('recurring jobs run by the clock of the database, although one of a process was two years ahead', async () => {
  const api = await testApi()
  const done: string[] = []
  const daily = `0 ${(new Date().getUTCHours() + 12) % 24} * * *`
  const recurring: RecurringTask[] = [
    { name: 'each-minute', cron: '* * * * *', work: async () => done.push('minute') },
    { name: 'each-day', cron: daily, catchUp: '1d', work: async () => done.push('day') },
    { name: 'new', cron: daily, catchUp: '1d', work: async () => done.push('new') },
  ]
  // What the process with the wrong clock has left.
  await api.db.execute(sql`
    insert into graphile_worker._private_known_crontabs
    select name, now() - interval '1 year', now() + interval '2 years'
    from unnest(array['each-minute', 'each-day']) as name`)
  await api.db.query(
    sql`select graphile_worker.add_job('each-minute', '{}'::json, run_at := now() + interval '2 years')`,
  )
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * 365 * 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
  const jobs = startJobs(api.url, { recurring, tasks: [] }, log)
  onTestFinished(jobs.stop)
  await eventually(() => expect(done.toSorted()).toEqual(['day', 'minute']))
  const ahead = sql`select identifier from graphile_worker._private_known_crontabs where last_execution > now()`
  expect(await api.db.query(ahead)).toEqual([])
})

test('one run of a recurring job waits at most', async () => {
  const api = await testApi()
  // One that no worker takes.
  await api.db.query(
    sql`select graphile_worker.add_job('each-minute', '{}'::json, queue_name := 'held', max_attempts := 1)`,
  )
  await api.db.execute(sql`update graphile_worker._private_job_queues set locked_at = now(), locked_by = 'x'`)
  const recurring: RecurringTask[] = [
    { name: 'each-minute', cron: '* * * * *', work: async () => {} },
    { name: 'other', cron: '* * * * *', work: async () => {} },
  ]
  const jobs = startJobs(api.url, { recurring, tasks: [] }, log)
  onTestFinished(jobs.stop)
  const scheduled = sql`
    select identifier from graphile_worker._private_known_crontabs where last_execution is not null order by 1`
  await eventually(async () =>
    expect(await api.db.query(scheduled)).toEqual([{ identifier: 'each-minute' }, { identifier: 'other' }]),
  )
  expect(
    await api.db.query(sql`
      select count(*)::int as count from graphile_worker.jobs where task_identifier = 'each-minute'`),
  ).toEqual([{ count: 1 }])
})

test('one run of a recurring job works at a time in all processes, and others are not delayed', async () => {
  const api = await testApi()
  const started: string[] = []
  const ending = Promise.withResolvers<void>()
  const workOf = (process: string): RecurringTask[] => [
    {
      name: 'slow',
      cron: '0 0 1 1 *',
      work: async () => {
        started.push(process)
        await ending.promise
      },
    },
  ]
  const done: unknown[] = []
  const tasks: Task[] = [{ name: 'note', run: async (payload) => void done.push(payload) }]
  const processes = ['first', 'second'].map((process) => startJobs(api.url, { recurring: workOf(process), tasks }, log))
  onTestFinished(async () => {
    ending.resolve()
    await Promise.all(processes.map(({ stop }) => stop()))
  })
  await api.db.query(
    sql`select graphile_worker.add_job('slow', '{}'::json, max_attempts := 1) from generate_series(1, 6)`,
  )
  await api.db.query(sql`select graphile_worker.add_job('note', to_json(1::int))`)
  await eventually(() => expect(done).toEqual([1]))
  expect(started).toHaveLength(1)
  const left = sql`select count(*)::int as count from graphile_worker.jobs`
  await eventually(async () => expect(await api.db.query(left)).toEqual([{ count: 1 }]))

  // The next run, after this one.
  ending.resolve()
  await eventually(async () => expect(await api.db.query(left)).toEqual([{ count: 0 }]))
  await api.db.query(sql`select graphile_worker.add_job('slow', '{}'::json, max_attempts := 1)`)
  await eventually(() => expect(started).toHaveLength(2))
})
