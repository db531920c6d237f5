import { expect, onTestFinished, test } from 'vitest'
import { startProxy } from '../testing/proxy.ts'
import { eventually, testApi } from '../testing/test-api.ts'
import { startJobs, type Task } from './jobs.ts'
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
  const jobs = startJobs(proxy.url, { recurring: [], tasks }, log as never, 400)
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
