import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { search } from '@rogatka/contract/archive.ts'
import { expect, onTestFinished, inject as provided, test } from 'vitest'
import { car, send } from '../ingest/testing.ts'
import { seedLegalLimits } from '../locations/queries.ts'
import { cloneDatabase, dropDatabase } from '../testing/databases.ts'
import { createCluster } from '../testing/external-server.ts'
import { TEMPLATE_TIME } from '../testing/setup.ts'
import { testApi, testStation } from '../testing/test-api.ts'
import { ensureVehiclePartitions, preparePartitions } from '../vehicle/maintenance.ts'
import { connect } from './database.ts'
import { migrate } from './migrate.ts'
import { sql } from './statement.ts'

/* `npm run manage -- distribute`, on Citus where the tests run on a cluster, and without it. */

const workers = provided('workerServers')
const NOW = new Date('2026-10-20T08:00:00Z')
const STATIONS = [3, 5, 7, 8]
const EVERYWHERE = { dateTimeStart: '2026-10-20T00:00:00Z', dateTimeEnd: NOW.toISOString(), locations: STATIONS }
const minutesBefore = (minutes: number) => new Date(NOW.getTime() - (minutes + 1) * 60_000).toISOString()
const MANAGE = fileURLToPath(new URL('../manage.ts', import.meta.url))

const manage = (url: string, ...words: string[]) =>
  new Promise<{ code: number; lines: string[] }>((resolve) => {
    const env = { ...process.env, LOG_LEVEL: 'silent', DATABASE_URL: url }
    execFile(process.execPath, [MANAGE, ...words], { env }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code) : 0, lines: (output + errors).trim().split('\n') }),
    )
  })

/** A new migrated database with vehicles in no part of Citus yet, dropped after the test. */
async function migrated(name: string, workers: readonly string[]): Promise<string> {
  const url = await cloneDatabase(name, 'template0')
  onTestFinished(() => dropDatabase(name))
  if (workers.length > 0) await createCluster(url, workers)
  await migrate(url)
  const db = connect(url, 1)
  await seedLegalLimits(db)
  await ensureVehiclePartitions(db, [TEMPLATE_TIME], 'month')
  await db.end()
  return url
}

test('manage distribute says that the database has no Citus, and changes nothing', async () => {
  const name = `plain_${randomBytes(4).toString('hex')}`
  const url = await migrated(name, [])
  const { code, lines } = await manage(url, 'distribute')
  expect({ code, lines }).toEqual({
    code: 1,
    lines: ['The database has no extension citus: see Citus in docs/operations.md'],
  })
})

test('distributes a filled database without a change of what is searched and verified, once', async () => {
  if (workers.length === 0)
    return console.info('Distribution did not run: TEST_DATABASE_URL does not name a coordinator of Citus with workers')
  const name = `filled_${randomBytes(4).toString('hex')}`
  const url = await migrated(name, workers)
  const api = await testApi({}, { name, clock: { now: NOW } })
  for (const id of STATIONS) {
    const station = await api.station({ ...testStation, id, shortName: `Test ${id}` })
    await send(
      station,
      Array.from({ length: 25 }, (_, at) => car(at + 1, { createdAt: minutesBefore(at) })),
    )
  }
  await api.runJobs()
  const user = await api.as('ArchiveMeasurements')
  const found = async () => (await user.call(search, { query: { ...EVERYWHERE, limit: 100 } })).body
  const before = await found()
  expect(before.content).toHaveLength(100)

  const first = await manage(url, 'distribute', '--shards', '8')
  expect(first).toEqual({
    code: 0,
    lines: [
      'vehicle: 100 rows distributed by station over 2 workers',
      'vehicle_detail: 100 rows distributed by station over 2 workers',
      'vehicle_image: 0 rows distributed by station over 2 workers',
      'All other tables stay on the coordinator',
    ],
  })
  expect(await found()).toEqual(before)
  const { code, lines } = await manage(url, 'verify')
  expect({ code, line: lines.find((line) => line.includes('rows of the roll-up')) }).toMatchObject({
    code: 0,
    line: expect.stringMatching(/^100 vehicles .*: 0 differ$/),
  })

  // A new partition, and the same station on one worker.
  await preparePartitions(api.db, new Date('2027-05-01'), 'month')
  const parts = await api.db.query<{ name: string; shards: number; stations: number }>(sql`
    select logicalrelid::text as name, count(*)::int as shards
    from pg_dist_shard where logicalrelid in ('vehicle'::regclass, 'vehicle_2027_05'::regclass) group by 1 order by 1`)
  expect(parts).toEqual([
    { name: 'vehicle', shards: 8 },
    { name: 'vehicle_2027_05', shards: 8 },
  ])
  const placed = await api.db.query<{ nodes: number }>(sql`
    select count(distinct nodeport)::int as nodes from citus_shards where table_name = 'vehicle'::regclass`)
  expect(placed).toEqual([{ nodes: 2 }])

  expect(await manage(url, 'distribute')).toEqual({
    code: 0,
    lines: [
      'vehicle: distributed already, 100 rows',
      'vehicle_detail: distributed already, 100 rows',
      'vehicle_image: distributed already, 0 rows',
      'All other tables stay on the coordinator',
    ],
  })
})
