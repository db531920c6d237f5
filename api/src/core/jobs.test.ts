import { expect, onTestFinished, test } from 'vitest'
import { startJobs, type Task } from './jobs.ts'
import { eventually, testApi } from './testing.ts'

test('a job that ends just when the database goes away takes nothing with it, and later ones are done', async () => {
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
  const jobs = startJobs(api.url, { recurring: [], tasks }, api.app.api.http.log)
  onTestFinished(jobs.stop)
  await eventually(() => api.sql`select graphile_worker.add_job('lose', '{}'::json, max_attempts := 1)`)
  await (await bringBack.promise)()
  await eventually(() => api.sql`select graphile_worker.add_job('note', '{}'::json)`)
  await eventually(() => expect(done).toEqual(['note']))
})
