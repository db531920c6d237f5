import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { report, search } from '@rogatka/contract/archive.ts'
import { list } from '@rogatka/contract/current.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { stat } from '@rogatka/contract/statistics.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { expect, onTestFinished, test } from 'vitest'
import { verifyDays } from './archive/derived/maintenance.ts'
import { verifyCounts } from './archive/verify.ts'
import { listPartitions, type PartitionUnit } from './core/partitions.ts'
import { sql } from './core/statement.ts'
import { car, jpeg, send, sendImage } from './ingest/testing.ts'
import { fetchReport, parseCsv } from './reports/testing.ts'
import { verifyDerived } from './statistics/verify.ts'
import { type Client, eventually, type TestApi, testApi } from './testing/test-api.ts'
import { verifyRollUp } from './vehicle/verify.ts'

/* Monthly and weekly partitions, and a change of PARTITIONS with stored vehicles. */

const ENGLISH = { 'accept-language': 'en' }
const at = (time: string) => new Date(time)
const daysAfter = (time: Date, days: number) => new Date(time.getTime() + days * DAY_MS)

/** Runs a recurring job once. */
const runJob = async (api: TestApi, name: string) => {
  const job = api.app.jobs.recurring.find((one) => one.name === name)
  if (!job) throw new Error(`no job ${name}`)
  await job.work()
}

const deriveAll = async (api: TestApi) => {
  await runJob(api, 'bring-archive-up-to-date')
  await runJob(api, 'derive-traffic')
}

const labelsOf = async ({ db }: TestApi) => (await listPartitions(db, 'vehicle')).map(({ label }) => label)

/** Every third is a heavy lorry in the other lane, every fifth drives too fast. */
const vehicleOf = (sequence: number, createdAt: Date): WireMeasurement =>
  car(sequence, {
    createdAt: createdAt.toISOString(),
    plateLpr: `PX ${10_000 + sequence}`,
    laneNumber: sequence % 3 === 0 ? 2 : 1,
    ctg8p1: sequence % 3 === 0 ? 3 : 7,
    speed: sequence % 5 === 0 ? 151 : 70,
  })

type Query = { dateTimeStart: Date; dateTimeEnd: Date }
type Filter = { name: string; wire: object; matches: (vehicle: WireMeasurement) => boolean }

/** Some use the roll-ups, some the plate index, some only the vehicles. */
const FILTERS: Filter[] = [
  { name: 'all', wire: {}, matches: () => true },
  { name: 'category', wire: { ctg8p1: '3' }, matches: ({ ctg8p1 }) => ctg8p1 === 3 },
  { name: 'lane', wire: { laneNumbers: '1' }, matches: ({ laneNumber }) => laneNumber === 1 },
  { name: 'violation', wire: { overspeed: true }, matches: ({ speed }) => speed === 151 },
  { name: 'measure', wire: { minSpeed: 100 }, matches: ({ speed }) => speed === 151 },
  { name: 'pattern', wire: { plateLpr: 'PX*1' }, matches: ({ plateLpr }) => plateLpr?.endsWith('1') === true },
  { name: 'similarity', wire: { plateLpr: 'PX10002', similarity: 100 }, matches: ({ sequence }) => sequence === 2 },
]

const byNewest = (a: WireMeasurement, b: WireMeasurement) =>
  +at(b.createdAt) - +at(a.createdAt) || a.sequence - b.sequence

/** The expected result of a search over the posted vehicles. */
const expectedIn = (posted: readonly WireMeasurement[], { dateTimeStart, dateTimeEnd }: Query, filter: Filter) =>
  posted
    .filter(({ createdAt }) => at(createdAt) >= dateTimeStart && at(createdAt) < dateTimeEnd)
    .filter(filter.matches)
    .toSorted(byNewest)

const idsOf = (vehicles: readonly WireMeasurement[]) => vehicles.map(({ sequence }) => vehicleId(7, sequence))

const wireOf = ({ dateTimeStart, dateTimeEnd }: Query) => ({
  locations: '7',
  dateTimeStart: dateTimeStart.toISOString(),
  dateTimeEnd: dateTimeEnd.toISOString(),
})

async function everySearchIsRight(user: Client, posted: readonly WireMeasurement[], range: Query) {
  const found = await Promise.all(
    FILTERS.map(async ({ name, wire }) => {
      const { body } = await user.call(search, { query: { ...wireOf(range), ...wire, limit: 100 } })
      return { name, count: body.totalCount, ids: body.content.map(({ id }) => id) }
    }),
  )
  expect(found).toEqual(
    FILTERS.map((filter) => {
      const ids = idsOf(expectedIn(posted, range, filter))
      return { name: filter.name, count: ids.length, ids }
    }),
  )
}

async function everythingIsVerified({ db }: TestApi, vehicles: number) {
  expect(await verifyRollUp(db)).toMatchObject({ vehicles, differences: [] })
  expect((await verifyDerived(db)).differences).toEqual([])
  expect(await verifyDays(db)).toEqual([])
  expect(await verifyCounts(db)).toEqual([])
}

const WEEK_IN_NOVEMBER = '2026-11-16-7'
/** Each setting is a restart, with vehicles before and after it. */
const SETTINGS: { spans: PartitionUnit[]; labels: string[] }[] = [
  { spans: ['month'], labels: ['2026-09', '2026-10', '2026-11', '2026-12'] },
  { spans: ['week'], labels: ['2026-09-14-7', '2026-10-26-7', WEEK_IN_NOVEMBER] },
  { spans: ['month', 'week', 'month'], labels: ['2026-12', '2027-01-01-3', '2027-01-25-7', '2027-02'] },
  { spans: ['week', 'month', 'week'], labels: ['2026-09-14-7', WEEK_IN_NOVEMBER] },
]

test.each(SETTINGS)(
  'PARTITIONS=$spans: search, counts, export and verification match the posted vehicles',
  async ({ spans, labels }) => {
    const first = await testApi({ partitions: spans[0] as PartitionUnit })
    const { clock } = first
    const station = await first.station()
    const posted: WireMeasurement[] = []
    let last = first
    for (const [change, partitions] of spans.entries()) {
      clock.now = daysAfter(at('2026-10-20T08:00:00Z'), 31 * change)
      last = change === 0 ? first : await testApi({ partitions }, first)
      await runJob(last, 'prepare-partitions')
      const sender = change === 0 ? station : last.client(station.token)
      // Now, a day and weeks late; around the start of a week (UTC), a month, and the first week after a change.
      const edges = ['2026-10-19', '2026-10-01', '2026-11-02'].map(at).filter((edge) => edge < clock.now)
      const times = [0, 1, 20].map((age) => daysAfter(clock.now, -age))
      times.push(...edges.flatMap((edge) => [-1 - change, change].map((ms) => new Date(edge.getTime() + ms))))
      const vehicles = times.map((time, i) => vehicleOf(posted.length + i + 1, time))
      expect((await send(sender, vehicles)).body.accepted).toBe(vehicles.length)
      expect((await send(sender, vehicles)).body).toMatchObject({ accepted: 0, duplicates: vehicles.length })
      posted.push(...vehicles)

      const watcher = await last.as('CurrentMeasurements')
      const liveIds = async () => (await watcher.call(list, { query: {} })).body.content.map(({ id }) => id)
      await eventually(async () => expect(await liveIds()).toContain(idsOf(vehicles)[0]))
      const user = await last.as('ArchiveMeasurements')
      const range = { dateTimeStart: at('2026-09-01'), dateTimeEnd: at('2027-03-01') }
      await everySearchIsRight(user, posted, range)
      await deriveAll(last)
      await everySearchIsRight(user, posted, range)
      await everySearchIsRight(user, posted, { dateTimeStart: at('2026-10-01'), dateTimeEnd: at('2026-10-19') })
    }
    expect(await labelsOf(last)).toEqual(expect.arrayContaining(labels))

    const [all] = FILTERS as [Filter]
    const range = { dateTimeStart: at('2026-09-30'), dateTimeEnd: at('2026-12-31') }
    const user = await last.as('ArchiveMeasurements')
    const { body: link } = await user.call(report, { query: { ...wireOf(range), reportType: 'csv' }, headers: ENGLISH })
    const [head = [], ...rows] = parseCsv((await fetchReport(user, link)).bytes)
    const plates = rows.map((row) => row[head.indexOf('Plate number')])
    expect(plates).toEqual(expectedIn(posted, range, all).map(({ plateLpr }) => plateLpr?.replace(' ', '')))

    const analyst = await last.as('Stat')
    const resolution = { statResolutionUnit: 'month', statResolutionValue: 1, groupBy: 'lane' } as const
    const { body } = await analyst.call(stat, { query: { ...wireOf(range), ...resolution, addGraph: false } })
    const counted = body[0]?.groups.map(({ value, series }) => [
      value,
      series.reduce<number>((a, b) => a + (b ?? 0), 0),
    ])
    const inLane = (lane: number) =>
      expectedIn(posted, range, all).filter(({ laneNumber }) => laneNumber === lane).length
    expect(counted).toEqual([1, 2].map((lane) => [String(lane), inLane(lane)]))

    await everythingIsVerified(last, posted.length)
    // Deleted from daily and hourly counts: verification compares them with the vehicles.
    await last.db.execute(sql`delete from vehicle_day where day = '2026-10-18'`)
    await last.db.execute(sql`delete from traffic_hour where hour >= '2026-10-18' and hour < '2026-10-19'`)
    expect(await verifyCounts(last.db)).toHaveLength(1)
  },
)

test.each([
  ['month', 'week'],
  ['week', 'month'],
] as const)('14 months from %s to %s: the kept range matches the posted vehicles', async (before, after) => {
  const RETENTION = 100
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-partitions-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const settings = { dataDir, retentionDays: RETENTION, imageRetentionDays: 40 }
  const apis = [await testApi({ ...settings, partitions: before })]
  const [first] = apis as [TestApi]
  apis.push(await testApi({ ...settings, partitions: after }, first))
  const { clock } = first
  const { token } = await first.station()
  const posted: WireMeasurement[] = []
  const image = await jpeg()
  const start = at('2026-10-20T08:00:00Z')

  for (let day = 0; day <= 432; day += 36) {
    clock.now = daysAfter(start, day)
    const api = apis[day < 210 ? 0 : 1] as TestApi
    for (const job of ['prepare-partitions', 'drop-expired']) await runJob(api, job)
    const station = api.client(token)
    const vehicles = [0, 1, 9.5, 16, 24, 31, 45].map((age, i) =>
      vehicleOf(posted.length + i + 1, daysAfter(clock.now, -age)),
    )
    expect((await send(station, vehicles)).body.accepted).toBe(vehicles.length)
    if (day % 72 === 0) await sendImage(station, vehicles[0] as WireMeasurement, 'front', image)
    posted.push(...vehicles)
    // Sometimes the job is late.
    if (day % 72 !== 0) await deriveAll(api)

    const user = await api.as('ArchiveMeasurements')
    const kept = { dateTimeStart: daysAfter(clock.now, -RETENTION), dateTimeEnd: daysAfter(clock.now, 1) }
    await everySearchIsRight(user, posted, kept)
    if (day % 108 === 0) await everySearchIsRight(user, posted, { ...kept, dateTimeStart: daysAfter(clock.now, -33.3) })
    const labels = await listPartitions(api.db, 'vehicle')
    expect(labels.every(({ to }) => to > kept.dateTimeStart)).toBe(true)
    expect(labels.at(-1)?.to.getTime()).toBeGreaterThan(+daysAfter(clock.now, 60))
  }
  const last = apis[1] as TestApi
  await deriveAll(last)
  const [{ count } = { count: 0 }] = await last.db.query<{ count: number }>(sql`select count(*)::int from vehicle`)
  const [oldest] = await listPartitions(last.db, 'vehicle')
  expect(count).toBe(posted.filter(({ createdAt }) => at(createdAt) >= (oldest?.from ?? clock.now)).length)
  await everythingIsVerified(last, count)
  // Only the month of the last image.
  expect(await readdir(join(dataDir, 'files/images'))).toEqual(['2027-12'])
})

test('a batch over many new weeks creates at most 60 partitions per request and is retried', async () => {
  const api = await testApi({ partitions: 'week', retentionDays: 3_650 })
  const station = await api.station()
  const before = (await labelsOf(api)).length
  const weeks = Array.from({ length: 100 }, (_, i) => vehicleOf(i + 1, daysAfter(api.clock.now, -7 * (i + 1))))
  const first = await send(station, weeks)
  expect(first.errors.map(({ code }) => code)).toEqual(['unavailable'])
  expect(first).toMatchObject({ status: 503 })
  expect((await labelsOf(api)).length - before).toBe(60)

  expect((await send(station, weeks)).body).toMatchObject({ accepted: 100, rejected: [] })
  expect((await labelsOf(api)).length - before).toBe(100)
  const restarted = await testApi({ partitions: 'week', retentionDays: 3_650 }, api)
  expect((await send(restarted.client(station.token), weeks)).body).toMatchObject({ accepted: 0, duplicates: 100 })
})
