import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { report, search } from '@rogatka/contract/archive.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { list as locations } from '@rogatka/contract/locations.ts'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../core/database.ts'
import { raw, sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { type Client, eventually, testApi } from '../testing/test-api.ts'

const DAY = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: [7] }
const SLOW = { ...DAY, plateLpr: 'WX*' }
/** Only searches by a part of a plate read this table. */
const PLATES = 'plate'
const VEHICLES = 'vehicle'

/** The server on a real port, with one car, and table locks taken outside its connection pool. */
async function lockableApi() {
  const api = await testApi()
  await send(await api.station(), [car(1)])
  const address = await api.app.api.http.listen({ host: '127.0.0.1', port: 0 })
  const outside = connect(api.url, 4)
  onTestFinished(() => outside.end(1_000))

  /** Resolves when the lock is held, with its release. */
  const lock = async (table: string) => {
    const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const locking = outside.transaction(async (db) => {
      await db.query(raw(`lock table ${table} in access exclusive mode`))
      locked.resolve()
      await released.promise
    })
    await locked.promise
    const release = () => {
      released.resolve()
      return locking
    }
    onTestFinished(() => void release())
    return release
  }
  const get = ({ token }: Client, path: string, signal?: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = { agent: false, headers: { authorization: `Bearer ${token}` }, ...(signal && { signal }) }
      request(`${address}${API_BASE}${path}`, options, (response) => resolve(response.on('error', () => {})))
        .on('error', reject)
        .end()
    })
  const openConnections = () =>
    new Promise<number>((resolve) => api.app.api.http.server.getConnections((_error, count) => resolve(count)))

  return {
    api,
    lock,
    get,
    /** Waits until the server has noticed that all clients disconnected. */
    allLeft: () => eventually(async () => expect(await openConnections()).toBe(0)),
    waiting: async () =>
      (
        await outside.query(sql`
          select from pg_stat_activity a join pg_locks l using (pid) where a.datname = ${api.name} and not l.granted`)
      ).length,
    snapshots: async () =>
      (
        await outside.query(sql`
          select from pg_stat_activity a join pg_locks l using (pid)
          where a.datname = ${api.name} and l.locktype = 'virtualxid' and a.pid <> pg_backend_pid()
            and a.backend_type = 'client backend'`)
      ).length,
  }
}

const pathOf = (query: Record<string, string | number[]>) =>
  `${search.path}?${new URLSearchParams(Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]))}`

test('slow searches of one user do not block those of others', async () => {
  const { api, lock, waiting } = await lockableApi()
  const [slow, other] = [await api.as('ArchiveMeasurements'), await api.as('ArchiveMeasurements')]
  const release = await lock(PLATES)

  const searches = Array.from({ length: 6 }, () => slow.call(search, { query: SLOW }))
  await eventually(async () => expect(await waiting()).toBeGreaterThan(1))
  expect((await other.call(search, { query: DAY })).status).toBe(200)
  expect(await waiting()).toBeGreaterThan(1)

  await release()
  expect((await Promise.all(searches)).map(({ status }) => status)).toEqual(Array(6).fill(200))
})

test('a queued search leaves the queue when its client disconnects', async () => {
  const { api, lock, get, allLeft, waiting } = await lockableApi()
  const user = await api.as('ArchiveMeasurements')
  const release = await lock(PLATES)
  const running = Array.from({ length: 2 }, () => user.call(search, { query: SLOW }))
  await eventually(async () => expect(await waiting()).toBe(2))

  // One more than fits into the queue: once it is refused, all others are queued.
  const leaving = new AbortController()
  const queued = Array.from({ length: 17 }, () => get(user, pathOf(SLOW), leaving.signal))
  expect((await Promise.race(queued)).statusCode).toBe(503)
  leaving.abort()
  await Promise.allSettled(queued)
  await allLeft()

  const next = user.call(search, { query: SLOW })
  await release()
  expect((await Promise.all([...running, next])).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('a running search stops in the database and frees its slot when its client disconnects', async () => {
  const { api, lock, get, waiting, snapshots } = await lockableApi()
  const user = await api.as('ArchiveMeasurements')
  await lock(PLATES)
  const leaving = new AbortController()
  const left = Array.from({ length: 2 }, () => get(user, pathOf(SLOW), leaving.signal))
  await eventually(async () => expect(await waiting()).toBe(2))
  leaving.abort()
  await Promise.allSettled(left)

  // Only the lock itself.
  await eventually(async () => expect([await waiting(), await snapshots()]).toEqual([0, 1]))
  expect((await user.call(search, { query: DAY })).status).toBe(200)
})

test('repeatedly cancelled downloads hold no more connections than one user may', async () => {
  const { api, lock, get, allLeft, waiting } = await lockableApi()
  const [user, other] = [await api.as('ArchiveMeasurements'), await api.as('Vms')]
  const { link } = (await user.call(report, { query: { ...DAY, reportType: 'csv' } })).body
  const release = await lock(VEHICLES)

  for (let round = 1; round <= 10; round++) {
    const leaving = new AbortController()
    const download = get(user, link, leaving.signal)
    await eventually(async () => expect(await waiting()).toBeGreaterThanOrEqual(Math.min(round, 2)))
    // A request that takes as long as the download needs to acquire its slot.
    expect((await other.call(locations)).status).toBe(200)
    leaving.abort()
    await Promise.allSettled([download])
    await allLeft()
    expect(await waiting(), `after ${round} downloads`).toBe(Math.min(round, 2))
  }

  await release()
  const answer = await get(user, link)
  expect([answer.statusCode, (await text(answer)).trim().split('\n').length]).toEqual([200, 2])
})
