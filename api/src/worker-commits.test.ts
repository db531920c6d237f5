import { search } from '@rogatka/contract/archive.ts'
import { expect, onTestFinished, inject as provided, test } from 'vitest'
import { updateDerived, verifyDays } from './archive/derived/maintenance.ts'
import { verifyCounts } from './archive/verify.ts'
import { connect } from './core/database.ts'
import { sql } from './core/statement.ts'
import { car, send } from './ingest/testing.ts'
import { deriveOffenders } from './offenders/derive.ts'
import { NOTHING_WRONG } from './offenders/testing-scene.ts'
import { verifyOffenders } from './offenders/verify.ts'
import { deriveQuarters, verifyQuarters } from './overview/derive.ts'
import { deriveDistributionDays, deriveTraffic } from './statistics/derive.ts'
import { verifyDistributions } from './statistics/distribution-verify.ts'
import { databaseAt } from './testing/setup.ts'
import { startTcpProxy } from './testing/tcp-proxy.ts'
import { type TestApi, testApi } from './testing/test-api.ts'

/*
 * A worker of Citus that misses the commit of a batch, which the coordinator has committed and the station got
 * acknowledged. Runs on Citus only.
 */

const workers = provided('workerServers')
/** Long enough for a test to see that a transaction is prepared before the coordinator does. */
const REPLY_DELAY_MS = 300

/** Puts proxies between the coordinator and its workers, in the database of the test. */
async function proxied(api: TestApi) {
  const nodes = await api.db.query<{ id: number; host: string; port: number }>(sql`
    select nodeid as id, nodename as host, nodeport as port from pg_dist_node where groupid <> 0`)
  return Promise.all(
    nodes.map(async ({ id, host, port }) => {
      const proxy = await startTcpProxy(host, port, REPLY_DELAY_MS)
      onTestFinished(proxy.cut)
      await api.db.query(sql`select citus_update_node(${id}, '127.0.0.1', ${proxy.port})`)
      return proxy
    }),
  )
}

/** Asks the workers themselves for the transactions of the test that are prepared. */
async function preparedOn(name: string): Promise<() => Promise<number>> {
  const databases = workers.map((worker) => connect(databaseAt(worker, name), 1))
  onTestFinished(async () => void (await Promise.all(databases.map((db) => db.end()))))
  return async () => {
    const found = await Promise.all(
      databases.map((db) => db.query(sql`select from pg_prepared_xacts where database = current_database()`)),
    )
    return found.flat().length
  }
}

async function derive({ db, clock }: TestApi): Promise<void> {
  await updateDerived(db)
  await deriveOffenders(db, clock.now)
  await deriveQuarters(db, clock.now)
  await deriveTraffic(db, clock.now)
  await deriveDistributionDays(db)
}

test('finds and counts vehicles once a commit that a Citus worker missed is repeated', async () => {
  if (workers.length === 0)
    return console.info(
      'Commits of workers did not run: TEST_DATABASE_URL does not name a coordinator of Citus with workers',
    )
  const api = await testApi()
  const station = await api.station()
  const user = await api.as('ArchiveMeasurements')
  const find = async (from: string, to: string, plateLpr?: string) => {
    const query = { locations: [7], dateTimeStart: `2026-10-18T${from}:00Z`, dateTimeEnd: `2026-10-18T${to}:00Z` }
    const { totalCount, content } = (await user.call(search, { query: { ...query, ...(plateLpr && { plateLpr }) } }))
      .body
    return { totalCount, plates: content.map((vehicle) => vehicle.plateLpr) }
  }
  await send(station, [car(1, { createdAt: '2026-10-18T12:30:00Z', plateLpr: 'EARLY1' })])
  await derive(api)

  const proxies = await proxied(api)
  const prepared = await preparedOn(api.name)
  const sending = send(station, [car(2, { createdAt: '2026-10-18T12:05:00Z', plateLpr: 'LATER1' })])
  await expect.poll(prepared, { timeout: 60_000, interval: 10 }).toBe(1)
  for (const proxy of proxies) proxy.loseNextData()
  expect((await sending).body.accepted).toBe(1)

  // Keeps Citus from repeating the commit, which it may do at any time.
  const repeating = await api.db.reserve()
  const repeat = async () => {
    await repeating.query(sql`commit`)
    await repeating.query(sql`select recover_prepared_transactions()`)
  }
  // Otherwise a database of a failed test could not be dropped.
  onTestFinished(async () => {
    await repeat()
    repeating.release()
  })
  await repeating.query(sql`begin`)
  await repeating.query(sql`lock table pg_dist_transaction in share mode`)
  expect(await prepared()).toBe(1)
  // By far the most of the hour, but not counted as the hour without the rest of it.
  expect(await find('12:10', '13:00')).toEqual({ totalCount: 1, plates: ['EARLY1'] })
  // The hour of the roll-up is ahead of the vehicles.
  expect(await find('12:00', '13:00')).toEqual({ totalCount: 2, plates: ['EARLY1'] })
  await derive(api)

  await repeat()
  expect(await prepared()).toBe(0)
  const both = { totalCount: 2, plates: ['EARLY1', 'LATER1'] }
  expect(await find('12:00', '13:00')).toEqual(both)
  expect(await find('12:00', '13:00', 'LATER*')).toEqual({ totalCount: 1, plates: ['LATER1'] })
  await derive(api)
  expect(await find('12:00', '13:00')).toEqual(both)
  expect(await find('12:00', '13:00', 'LATER*')).toEqual({ totalCount: 1, plates: ['LATER1'] })
  expect(await verifyDays(api.db)).toEqual([])
  expect(await verifyCounts(api.db)).toEqual([])
  expect(await verifyOffenders(api.db, api.clock.now)).toEqual(NOTHING_WRONG)
  expect(await verifyQuarters(api.db, api.clock.now)).toEqual([])
  const distributions = await verifyDistributions(api.db)
  expect(distributions).toMatchObject({ days: 1, differences: [] })
})
