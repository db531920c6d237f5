import { search } from '@rogatka/contract/archive.ts'
import { expect, test } from 'vitest'
import { eventually, testApi } from '../core/testing.ts'
import { car, send } from '../ingest/testing.ts'

const DAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: [7] }

test('slow searches of one user leave room for the searches of others', async () => {
  const api = await testApi()
  await send(await api.station(), [car(1)])
  const [slow, other] = [await api.as('ArchiveMeasurements'), await api.as('ArchiveMeasurements')]
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // Only searches by a part of a plate read this table.
  const locking = api.sql.begin(async (sql) => {
    await sql`lock table plate in access exclusive mode`
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const waitingForLock = async () => (await api.sql`select from pg_locks where not granted`).length

  const searches = Array.from({ length: 6 }, () => slow.call(search, { query: { ...DAY, plateLpr: 'WX*' } }))
  await eventually(async () => expect(await waitingForLock()).toBeGreaterThan(1))
  expect((await other.call(search, { query: DAY })).status).toBe(200)
  expect(await waitingForLock()).toBeGreaterThan(1)

  release.resolve()
  await locking
  expect((await Promise.all(searches)).map(({ status }) => status)).toEqual(Array(6).fill(200))
})
