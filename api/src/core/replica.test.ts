import { addTag, report, search } from '@rogatka/contract/archive.ts'
import { list as live } from '@rogatka/contract/current.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { stat } from '@rogatka/contract/statistics.ts'
import { afterAll, beforeAll, expect, onTestFinished, inject as provided, test, vi } from 'vitest'
import { stationWithId } from '../archive/testing.ts'
import { readConfig } from '../config.ts'
import { car, send } from '../ingest/testing.ts'
import { seedLegalLimits } from '../locations/queries.ts'
import { fetchReport, parseCsv } from '../reports/testing.ts'
import { startPrimary, startReplica } from '../testing/replica.ts'
import { TEMPLATE_TIME } from '../testing/setup.ts'
import { startTcpProxy } from '../testing/tcp-proxy.ts'
import { type Client, eventually, type TestApi, testApi } from '../testing/test-api.ts'
import { testVariables } from '../testing/variables/effects.ts'
import { ensureVehiclePartitions } from '../vehicle/maintenance.ts'
import { cursorRows } from './cursor.ts'
import { connect, type Database, SNAPSHOT } from './database.ts'
import { migrate } from './migrate.ts'
import { raw, sql } from './statement.ts'
import { prepareTrailPartitions } from './trail-partitions.ts'

/** Permitted lag, where it has to end, and where it must not, on a busy machine. */
const LAG_MS = 500
const LONG_LAG_MS = 20_000
/** On a busy machine a server takes long to start again. */
const TIMEOUT_MS = 60_000
const CLOCK = { now: new Date('2026-10-20T08:00:00Z') }

let primary: Awaited<ReturnType<typeof startPrimary>>
let replica: Awaited<ReturnType<typeof startReplica>>
let stations = 6

beforeAll(async () => {
  primary = await startPrimary(async (url) => {
    await migrate(url)
    const db = connect(url, 1)
    await seedLegalLimits(db)
    await prepareTrailPartitions(db, TEMPLATE_TIME)
    await ensureVehiclePartitions(db, [TEMPLATE_TIME], 'month')
    await db.end()
  })
  replica = await startReplica(primary)
})

afterAll(async () => {
  await replica.stop()
  await primary.stop()
})

/** A portal on the primary that reads from a replica; several are processes of one. */
const portal = (url: string, lagMs: number) =>
  configured({ DATABASE_READ_URL: url, DATABASE_READ_LAG_MS: String(lagMs) })

const configured = (env: Record<string, string>, server = primary.url) =>
  testApi(
    { logLevel: 'info', replica: readConfig({ DATABASE_URL: server, ...env }).replica },
    { name: 'postgres', clock: CLOCK, server },
  )

const isUsed = async ({ app }: TestApi) => (await app.api.http.inject('/readyz')).json().replica

/** The same, with a replica that can be cut off, once it is used; with a station and a user of their own. */
async function portalWithProxy(lagMs = LAG_MS) {
  const { hostname, port } = new URL(replica.url)
  const proxy = await startTcpProxy(hostname, Number(port))
  onTestFinished(proxy.cut)
  const url = new URL(replica.url)
  url.port = String(proxy.port)
  const api = await portal(url.href, lagMs)
  await becomes(api, true)
  return { api, proxy, ...(await sceneOf(api)) }
}

const becomes = (api: TestApi, used: boolean) =>
  vi.waitFor(async () => expect(await isUsed(api)).toBe(used), { timeout: TIMEOUT_MS })

/** The server that answers a search while the replica applies nothing for longer than half a second. */
async function answeredWhileLagging(lag: Record<string, string>): Promise<string | undefined> {
  const api = await configured({ DATABASE_READ_URL: replica.url, ...lag })
  await becomes(api, true)
  await replica.pause()
  onTestFinished(async () => void (await replica.resume()))
  const { station, ...scene } = await sceneOf(api)
  await send(station, [car(1)])
  const answer = found(scene)
  await eventually(async () => expect((await metric(api, 'rogatka_replica_lag_seconds'))['']).toBeGreaterThan(0.5))
  await replica.resume()
  expect(await answer).toBe(1)
  const reads = await metric(api, 'rogatka_reads_total')
  return Object.keys(reads).find((server) => reads[server] === 1)
}

vi.setConfig({ testTimeout: 2 * TIMEOUT_MS, hookTimeout: TIMEOUT_MS })

testVariables({
  DATABASE_READ_URL: {
    title: 'names the replica',
    cases: [
      [undefined, undefined],
      ['{replica}', true],
    ],
    observe: async ({ DATABASE_READ_URL: isSet }) => {
      const api = await configured(isSet ? { DATABASE_READ_URL: replica.url } : {})
      if (isSet) await becomes(api, true)
      return isUsed(api)
    },
  },
  DATABASE_READ_LAG_MS: {
    title: 'sets how long a read waits for the replica',
    cases: [
      ['100', 'primary'],
      ['60000', 'replica'],
    ],
    observe: answeredWhileLagging,
  },
})

async function sceneOf(api: TestApi) {
  stations += 1
  const id = stations
  const station = await api.station(stationWithId(id))
  const query = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: '2026-10-21T00:00:00Z', locations: [id] }
  return { id, station, query, user: await api.as('ArchiveMeasurements', 'CurrentMeasurements', 'Stat') }
}

type Scene = Pick<Awaited<ReturnType<typeof sceneOf>>, 'query' | 'user'>
const found = async ({ user, query }: Scene) => (await user.call(search, { query })).body.totalCount

/** Values of a metric by their labels. */
async function metric({ app }: TestApi, name: string): Promise<Record<string, number>> {
  const { body } = await app.api.http.inject('/metrics')
  const lines = body.matchAll(new RegExp(`^${name}(?:\\{.*?="(.*?)"\\})? (.*)$`, 'gm'))
  return Object.fromEntries([...lines].map(([, label = '', value]) => [label, Number(value)]))
}

/** What the log says of the replica, in order. */
const changesIn = ({ logged }: TestApi) =>
  logged.map((line) => JSON.parse(line)).flatMap(({ msg, state }) => (/^replica: /.test(msg) ? [state ?? 'used'] : []))

test('reads from the replica earlier writes of every process', async () => {
  const { api, id, station, user, query } = await portalWithProxy(LONG_LAG_MS)
  const other = await portal(replica.url, LONG_LAG_MS)
  await becomes(other, true)
  const there: Client = other.client(user.token)
  // Each read waits for what it has to see, and a read that does not would miss it.
  await replica.delay(40)
  onTestFinished(() => replica.delay(0))
  const scene = { user: there as typeof user, query }
  for (let sequence = 1; sequence <= 4; sequence++) {
    const vehicle = car(sequence)
    await send(station, [vehicle])
    // Announced to the other process, too.
    const listed = async () => (await there.call(live, { query: { locations: [id] } })).body.content.length
    await eventually(async () => expect(await listed()).toBe(sequence))
    expect(await found(scene)).toBe(sequence)
    const key = { params: { id: vehicleId(id, sequence) }, query: { locationId: id, createdAt: vehicle.createdAt } }
    await user.call(addTag, { ...key, body: { tag: `Nr ${sequence}` } as never })
    const tagged = await there.call(search, { query: { ...query, taggedOnly: true, withTags: true } })
    expect(tagged.body.totalCount).toBe(sequence)
    const hour = { statResolutionUnit: 'day', statResolutionValue: 1, addGraph: false, locations: String(id) } as const
    const [figures] = (await there.call(stat, { query: { ...query, ...hour } })).body
    expect(figures?.summary).toBe(sequence)
    const link = await there.call(report, { query: { ...query, reportType: 'csv' } })
    const lines = parseCsv((await fetchReport(there, link.body)).bytes)
    expect(lines).toHaveLength(1 + sequence)
  }
  const { replica: onReplica = 0, primary: onPrimary = 0 } = await metric(other, 'rogatka_reads_total')
  expect(onReplica + onPrimary).toBeGreaterThanOrEqual(16)
  expect(onReplica).toBeGreaterThan(onPrimary)
  await becomes(other, true)
  expect(await metric(other, 'rogatka_replica_used')).toEqual({ '': 1 })
  const [ran] = await replica.db.query<{ searches: number }>(sql`
    select count(*)::int as searches from pg_stat_activity
    where application_name = 'rogatka' and query ~ 'vehicle|traffic_hour|commit' and pid <> pg_backend_pid()`)
  expect(ran?.searches).toBeGreaterThan(0)
  // The lines of these looks are on the primary.
  const [trail] = await api.db.query<{ lines: number }>(sql`
    select count(*)::int as lines from access_trail where user_id = ${user.userId} and call = 'GET /arch-vehicles'`)
  expect(trail?.lines).toBe(8)
})

test('reads from the primary while the replica lags, is lost or does not answer, and logs it once', async () => {
  const { api, proxy, station, user, query } = await portalWithProxy()
  let sequence = 0
  const assertFound = async () => {
    sequence += 1
    await send(station, [car(sequence)])
    expect(await found({ user, query })).toBe(sequence)
    expect(await found({ user, query })).toBe(sequence)
  }
  await replica.pause()
  onTestFinished(async () => void (await replica.resume()))
  await assertFound()
  expect(await isUsed(api)).toBe(false)
  await eventually(async () =>
    expect((await metric(api, 'rogatka_replica_lag_seconds'))['']).toBeGreaterThan(LAG_MS / 1_000),
  )
  await replica.resume()
  await becomes(api, true)
  await assertFound()
  await proxy.cut()
  await assertFound()
  await proxy.restore()
  await becomes(api, true)
  await assertFound()
  proxy.freeze()
  await assertFound()
  await eventually(() => expect(changesIn(api)).toContain('silent'))
  await assertFound()
  proxy.thaw()
  await becomes(api, true)
  await assertFound()
  const changes = changesIn(api)
  expect(changes.filter((state, at) => state === changes[at - 1])).toEqual([])
  const { lagging, lost, silent } = await metric(api, 'rogatka_replica_fallbacks_total')
  expect({ lagging, lost, silent }).toEqual({
    lagging: expect.toSatisfy((reads) => reads > 0),
    lost: expect.toSatisfy((reads) => reads > 0),
    silent: expect.toSatisfy((reads) => reads > 0),
  })
})

test('repeats on the primary what recovery cancels, or what a silent replica leaves unanswered', async () => {
  const { api, proxy } = await portalWithProxy(LONG_LAG_MS)
  const { db, readDb } = api.app.api
  const isReplica = sql`select pg_is_in_recovery() as "isReplica" from (select count(*) from vehicle) counted`
  /** The server that gave the answer; on the replica, after what happens to it. */
  const answeredBy = async (happening: () => Promise<unknown>) => {
    const work = async (db: Database) => {
      const [row] = await db.query<{ isReplica: boolean }>(isReplica)
      if (!row?.isReplica) return 'primary'
      await Promise.all([db.query(sql`select pg_sleep(60)`), happening()])
      return 'replica'
    }
    return readDb.transaction(work, { mode: SNAPSHOT })
  }
  const lock = () => db.transaction((db) => db.query(raw('lock table vehicle in access exclusive mode')))
  expect(await answeredBy(lock)).toBe('primary')
  expect(await metric(api, 'rogatka_replica_fallbacks_total')).toMatchObject({ conflict: 1, lost: 0 })
  await expect(readDb.execute(sql`delete from vehicle where false`)).rejects.toMatchObject({ code: '25006' })
  expect(await answeredBy(async () => proxy.freeze())).toBe('primary')
  proxy.thaw()
  await becomes(api, true)

  // Of a file, only what nobody has received yet.
  const halves = (sleeps: boolean) =>
    cursorRows(
      readDb,
      raw(`select n, pg_is_in_recovery(), case when ${sleeps} and pg_is_in_recovery() then pg_sleep(60) end
           from generate_series(1, 4) n`),
      2,
    )
  const unread = halves(true)
  const first = unread.next()
  await eventually(async () => expect(await sleepers()).toBe(1))
  await proxy.cut()
  expect((await first).value).toMatchObject([{ n: 1, pg_is_in_recovery: false }, { n: 2 }])
  expect((await unread.next()).value).toHaveLength(2)
  expect(await unread.next()).toEqual({ done: true, value: undefined })
  await proxy.restore()
  await becomes(api, true)
  const read = halves(false)
  expect((await read.next()).value).toMatchObject([{ n: 1, pg_is_in_recovery: true }, { n: 2 }])
  await proxy.cut()
  await expect(read.next()).rejects.toThrow()
})

/** Statements of the portal that sleep on the replica. */
async function sleepers(): Promise<number> {
  const [row] = await replica.db.query<{ sleepers: number }>(sql`
    select count(*)::int as sleepers from pg_stat_activity where wait_event = 'PgSleep'`)
  return row?.sleepers ?? 0
}

test('does not read from a server that is no replica of its primary', async () => {
  for (const [url, state] of [
    [primary.url, 'promoted'],
    [provided('databaseServer'), 'foreign'],
  ] as const) {
    const api = await portal(url, LAG_MS)
    const { station, ...scene } = await sceneOf(api)
    await eventually(() => expect(changesIn(api)).toEqual([state]))
    await send(station, [car(1)])
    expect(await found(scene)).toBe(1)
    expect(await metric(api, 'rogatka_reads_total')).toEqual({ primary: 1, replica: 0 })
  }
})

test('does not read from a replica on another timeline, ahead of its primary or behind', async () => {
  const promoted = await startReplica(primary)
  onTestFinished(promoted.stop)
  await promoted.db.query(sql`select pg_promote()`)
  const db = connect(primary.url, 1)
  onTestFinished(() => db.end())
  // More than the portal writes below.
  for (let segment = 0; segment < 3; segment++) {
    await db.query(sql`select pg_logical_emit_message(false, 'rogatka', 'ahead')`)
    await db.query(sql`select pg_switch_wal()`)
  }
  const [end] = await db.query<{ position: string }>(sql`select pg_current_wal_flush_lsn()::text as position`)
  const [behind] = await promoted.db.query<{ isBehind: boolean }>(sql`
    select pg_current_wal_flush_lsn() < ${end?.position}::pg_lsn as "isBehind"`)
  expect(behind).toEqual({ isBehind: true })
  await eventually(async () => {
    const [row] = await replica.db.query<{ isThere: boolean }>(sql`
      select pg_last_wal_replay_lsn() >= ${end?.position}::pg_lsn as "isThere"`)
    expect(row?.isThere).toBe(true)
  })
  const api = await configured({ DATABASE_READ_URL: replica.url }, promoted.url)
  await eventually(() => expect(changesIn(api)).toEqual(['foreign']))
  const { station, ...scene } = await sceneOf(api)
  await send(station, [car(1)])
  expect(await found(scene)).toBe(1)
  expect(await metric(api, 'rogatka_reads_total')).toEqual({ primary: 1, replica: 0 })

  // Nor once the promoted one has written more, so that the replica of the former primary comes to its positions.
  for (let segment = 0; segment < 6; segment++) {
    await promoted.db.query(sql`select pg_logical_emit_message(false, 'rogatka', 'ahead')`)
    await promoted.db.query(sql`select pg_switch_wal()`)
  }
  const later = await configured({ DATABASE_READ_URL: replica.url }, promoted.url)
  await eventually(() => expect(changesIn(later)).toEqual(['foreign']))
})

test('logs why a replica refuses, once', async () => {
  const url = new URL(replica.url)
  url.pathname = '/absent'
  const api = await portal(url.href, LAG_MS)
  const failures = () =>
    api.logged.map((line) => JSON.parse(line)).flatMap(({ msg, err }) => (/replica/.test(msg) ? [err?.code] : []))
  await eventually(() => expect(failures()).toEqual(['3D000']))
  expect(changesIn(api)).toEqual(['lost'])
})

test('loses and doubles nothing when the replica is killed while stations send', async () => {
  const { api, station, user, query } = await portalWithProxy()
  let acknowledged = 0
  let isSending = true
  const sending = (async () => {
    for (let batch = 0; batch < 30; batch++) {
      if (batch === 5) await replica.kill()
      const { body } = await send(
        station,
        Array.from({ length: 10 }, (_, at) => car(1 + batch * 10 + at)),
      )
      expect(body).toMatchObject({ accepted: 10 })
      acknowledged += 10
    }
    isSending = false
  })()
  while (isSending) {
    const least = acknowledged
    expect(await found({ user, query })).toBeGreaterThanOrEqual(least)
  }
  await sending
  await becomes(api, true)
  expect(await found({ user, query })).toBe(300)
})
