import { search } from '@rogatka/contract/archive.ts'
import { list } from '@rogatka/contract/current.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { login } from '@rogatka/contract/session.ts'
import { stat } from '@rogatka/contract/statistics.ts'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from './core/database.ts'
import { migrate } from './core/migrate.ts'
import { sql } from './core/statement.ts'
import { prepareTrailPartitions } from './core/trail-partitions.ts'
import { car, send } from './ingest/testing.ts'
import { checkOutRelease, startReleased } from './testing/released-portal.ts'
import { RELEASES, type Release, restoreFiles, restoreRelease } from './testing/releases.ts'
import { eventually, PASSWORD, testApi } from './testing/test-api.ts'
import { preparePartitions } from './vehicle/maintenance.ts'

/* The last release and this version side by side on one database, as during a rolling upgrade (docs/migrations.md). */

const TIMEOUT_MS = 240_000
const STATION = 12
const KEY = 'key-of-station-12'
/** After all sequences of the release's rows. */
const FIRST = 900_000

test('the last release stores and shows vehicles while this version migrates, and beside it', {
  timeout: TIMEOUT_MS,
}, async () => {
  const release = RELEASES.at(-1) as Release
  const folder = await checkOutRelease(release)
  if (!folder) return console.log(`Rolling upgrade: not run, git does not have the code of ${release.version} here.`)
  const database = await restoreRelease(release)
  onTestFinished(database.drop)
  const db = connect(database.url, 2)
  onTestFinished(() => db.end(1_000))
  // Passwords end after 30 days, and these are older.
  await db.execute(sql`update app_user set password_updated_at = now()`)
  const dataDir = await restoreFiles(release)
  const SECRET_KEY = '07'.repeat(32)
  const old = await startReleased(folder, { DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET_KEY })

  const at = new Date()
  const range = {
    dateTimeStart: new Date(at.getTime() - 600_000).toISOString(),
    dateTimeEnd: new Date(at.getTime() + 3_600_000).toISOString(),
  }
  const passing = (sequence: number) =>
    car(sequence, { createdAt: new Date(at.getTime() + (sequence % 1_000)).toISOString() })
  const acknowledged = new Set<number>()
  let sequence = FIRST
  /** Sends a vehicle to the old portal. */
  const sendToOld = async () => {
    sequence += 1
    const { status, body } = await old.call('/measurements', KEY, [passing(sequence)])
    expect([status, body]).toEqual([200, expect.objectContaining({ accepted: 1, duplicates: 0 })])
    acknowledged.add(sequence)
  }
  const signIn = await old.call('/login', undefined, { username: 'admin', password: PASSWORD })
  const { token } = signIn.body as { token: string }
  const query = `dateTimeStart=${range.dateTimeStart}&dateTimeEnd=${range.dateTimeEnd}&locations=${STATION}`
  const foundByOld = async () => {
    const { body } = await old.call(`/arch-vehicles?${query}`, token)
    expect(body).toMatchObject({ totalCount: expect.any(Number) })
    return body.totalCount
  }
  const shownByOld = async () => {
    const { body } = await old.call(`/current-vehicles?locations=${STATION}`, token)
    return (body.content as { id: number }[]).length
  }
  await sendToOld()
  expect(await foundByOld()).toBe(1)

  let isMigrating = true
  const migrating = migrate(database.url).finally(() => {
    isMigrating = false
  })
  let during = 0
  while (isMigrating) {
    await sendToOld()
    during += 1
    expect(await foundByOld()).toBe(acknowledged.size)
  }
  await migrating
  expect(during).toBeGreaterThan(0)

  await preparePartitions(db, new Date(), 'month')
  await prepareTrailPartitions(db, new Date())
  const clock = { now: new Date() }
  const api = await testApi({ dataDir, secretKey: Buffer.from(SECRET_KEY, 'hex') }, { name: database.name, clock })
  const admin = api.client(
    (await api.anyone.call(login, { body: { username: 'admin', password: PASSWORD } })).body.token,
  )
  const station = api.client(KEY)

  // Both store, and each has what the other has stored: also what was sent to both.
  for (let round = 0; round < 5; round++) {
    await sendToOld()
    const repeated = await send(station, [passing(sequence)])
    expect(repeated.body).toMatchObject({ accepted: 0, duplicates: 1 })
    sequence += 1
    expect((await send(station, [passing(sequence)])).body).toMatchObject({ accepted: 1, duplicates: 0 })
    acknowledged.add(sequence)
    const again = await old.call('/measurements', KEY, [passing(sequence)])
    expect(again.body).toMatchObject({ accepted: 0, duplicates: 1 })
    expect(await foundByOld()).toBe(acknowledged.size)
    const page = await admin.call(search, { query: { ...range, locations: [STATION] } })
    expect(page.body.totalCount).toBe(acknowledged.size)
  }
  await eventually(async () => expect(await shownByOld()).toBe(acknowledged.size))
  await eventually(async () =>
    expect((await admin.call(list, { query: { locations: [STATION] } })).body.content).toHaveLength(acknowledged.size),
  )
  const hours = {
    statResolutionUnit: 'day',
    statResolutionValue: 1,
    addGraph: false,
    locations: String(STATION),
  } as const
  const day = { dateTimeStart: new Date(at.getTime() - 86_400_000).toISOString(), dateTimeEnd: range.dateTimeEnd }
  expect((await admin.call(stat, { query: { ...day, ...hours } })).body[0]?.summary).toBe(acknowledged.size)

  const stored = await db.query<{ id: number }>(sql`
    select id from vehicle where location_id = ${STATION} and created_at >= ${range.dateTimeStart}::timestamptz order by id`)
  expect(stored.map(({ id }) => id)).toEqual(
    [...acknowledged].map((one) => vehicleId(STATION, one)).sort((a, b) => a - b),
  )
  const [counted] = await db.query<{ vehicles: number }>(sql`
    select sum(vehicles)::int as vehicles from traffic_hour
    where location_id = ${STATION} and hour >= ${day.dateTimeStart}::timestamptz`)
  expect(counted?.vehicles).toBe(acknowledged.size)
})
