import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addTag } from '@rogatka/contract/archive.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { stat } from '@rogatka/contract/statistics.ts'
import { expect, onTestFinished, test } from 'vitest'
import { connect } from '../core/database.ts'
import { imagePath } from '../core/image-path.ts'
import { openFiles } from '../core/open-files.ts'
import { daysBetween, intervalAt, listPartitions, type PartitionUnit } from '../core/partitions.ts'
import { raw, sql } from '../core/statement.ts'
import { car, jpeg, send, sendImage } from '../ingest/testing.ts'
import { isOnOneServer } from '../testing/databases.ts'
import { testApi } from '../testing/test-api.ts'
import { imageFolders } from './image-paths.ts'
import { dropExpired, ensureVehiclePartitions, preparePartitions } from './maintenance.ts'
import { verifyRollUp } from './verify.ts'

const labelsOf = async (db: Parameters<typeof listPartitions>[0], table: string) =>
  (await listPartitions(db, table)).map(({ label }) => label)

test.each([
  ['month', '2026-02-28T23:59:59.999Z', '2026-02-01', '2026-03-01'],
  ['month', '2025-12-01T00:00:00Z', '2025-12-01', '2026-01-01'],
  ['week', '2026-11-01T23:59:59.999Z', '2026-10-26', '2026-11-02'],
  ['week', '2026-11-02T00:00:00Z', '2026-11-02', '2026-11-09'],
  ['week', '2027-01-01T12:00:00Z', '2026-12-28', '2027-01-04'],
  ['year', '2027-12-31T23:59:59.999Z', '2027-01-01', '2028-01-01'],
  ['year', '2028-01-01T00:00:00Z', '2028-01-01', '2029-01-01'],
] as const)('the %s of %s is from %s to %s, in UTC', (span, at, from, to) => {
  expect(intervalAt(new Date(at), span)).toEqual({ from: new Date(from), to: new Date(to) })
})

test('daysBetween covers both instants, in UTC', () => {
  const days = daysBetween(new Date('2026-02-27T23:59:59Z'), new Date('2026-03-01T00:00:00Z'))
  expect(days.map((day) => day.toISOString())).toEqual(
    ['2026-02-27', '2026-02-28', '2026-03-01'].map((day) => `${day}T00:00:00.000Z`),
  )
})

test('prepares partitions ahead of their month, also from two processes concurrently', async () => {
  const api = await testApi()
  const other = await testApi({}, api)
  await Promise.all([api, other, api].map(({ db }) => preparePartitions(db, api.clock.now, 'month')))
  for (const table of ['vehicle', 'vehicle_detail', 'vehicle_image'])
    expect(await labelsOf(api.db, table)).toEqual(['2026-09', '2026-10', '2026-11', '2026-12'])
})

test('drops expired months with their image files, and keeps the rest and the roll-up', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-upkeep-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const api = await testApi({ dataDir, partitions: 'month', retentionDays: 90, imageRetentionDays: 30 })
  const station = await api.station()
  const august = car(1, { createdAt: '2026-08-31T23:59:59.999Z' })
  const september = car(2, { createdAt: '2026-09-30T23:59:59.999Z' })
  const october = car(3)
  const sent = async (...vehicles: (typeof august)[]) => {
    await send(station, vehicles)
    for (const vehicle of vehicles) await sendImage(station, vehicle, 'front', await jpeg())
  }
  api.clock.now = new Date('2026-09-01T00:00:00Z')
  await sent(august)
  api.clock.now = new Date('2026-10-20T08:00:00Z')
  await sent(september, october)
  const user = await api.as('ArchiveMeasurements')
  for (const { sequence, createdAt } of [august, october])
    await user.call(addTag, { params: { id: vehicleId(7, sequence) }, query: { locationId: 7, createdAt }, body: {} })
  const drop = () => api.app.jobs.recurring.find(({ name }) => name === 'drop-expired')?.work()
  const folders = () => readdir(join(dataDir, 'files/images'))

  await drop()
  expect(await labelsOf(api.db, 'vehicle')).toEqual(['2026-08', '2026-09', '2026-10'])
  expect(await labelsOf(api.db, 'vehicle_image')).toEqual(['2026-09', '2026-10'])
  expect(await folders()).toEqual(['2026-09', '2026-10'])

  api.clock.now = new Date('2026-11-30T00:00:00Z')
  await drop()
  expect(await labelsOf(api.db, 'vehicle')).toEqual(['2026-09', '2026-10'])
  expect(await labelsOf(api.db, 'vehicle_detail')).toEqual(['2026-09', '2026-10'])
  expect(await folders()).toEqual(['2026-10'])
  expect(await api.db.query(sql`select 1 from vehicle`)).toHaveLength(2)
  expect(await api.db.query(sql`select 1 from tag`)).toHaveLength(1)
  expect(await api.db.query(sql`select sum(vehicles)::int as sum from traffic_hour`)).toEqual([{ sum: 3 }])
  // Verification skips hours whose vehicles are dropped.
  expect(await verifyRollUp(api.db)).toEqual({ vehicles: 2, rows: 2, differences: [] })
})

test('a clock that is two years ahead deletes nothing, and one that is minutes ahead nothing too early', async () => {
  const api = await testApi({ partitions: 'month', retentionDays: 90, imageRetentionDays: 90 })
  const [row] = await api.db.query<{ now: Date }>(sql`select clock_timestamp() as now`)
  const present = row?.now as Date
  await ensureVehiclePartitions(api.db, [new Date(present.getTime() - 800 * 86_400_000), present], 'month')
  // Kept for 90 days, of which two minutes are left.
  await api.db.execute(sql`
    insert into outbox (created_at, sent_at, kind, recipient, language)
    select at, at, 'x', 'x', 'pl' from (select ${present}::timestamptz - interval '90 days' + interval '2 minutes' as at) a`)
  const before = await labelsOf(api.db, 'vehicle')
  expect(before).toHaveLength(2)
  api.clock.database = true
  const expiring = [
    'drop-expired',
    'drop-expired-access-trail',
    'forget-signs',
    'delete-alarms',
    'delete-old-history',
    'delete-settled-messages',
    'delete-expired-plates',
    'forget-hits',
    'delete-inspections',
    'review-offenders',
    'clean-quarantine',
    'prune-imports',
  ]
  const work = (task: string) => api.app.jobs.recurring.find(({ name }) => name === task)?.work()
  for (const ahead of [2 * 365 * 86_400_000, 6 * 60_000, -6 * 60_000]) {
    api.clock.now = new Date(present.getTime() + ahead)
    for (const task of expiring) await expect(work(task), task).rejects.toThrow('differ by more than 5 minutes')
  }
  expect(await labelsOf(api.db, 'vehicle')).toEqual(before)

  api.clock.now = new Date(present.getTime() + 4 * 60_000)
  await work('drop-expired')
  expect(await labelsOf(api.db, 'vehicle')).toEqual(before.slice(1))
  await work('delete-settled-messages')
  expect(await api.db.query(sql`select from outbox`)).toHaveLength(1)
})

test('drops images no later than their vehicles, although they might be kept longer', async () => {
  const api = await testApi({ partitions: 'month', retentionDays: 30, imageRetentionDays: 90 })
  const instants = ['2026-08-10', '2026-09-10', '2026-10-10'].map((day) => new Date(day))
  await ensureVehiclePartitions(api.db, instants, 'month')
  await api.app.jobs.recurring.find(({ name }) => name === 'drop-expired')?.work()
  for (const table of ['vehicle', 'vehicle_detail', 'vehicle_image'])
    expect(await labelsOf(api.db, table)).toEqual(['2026-09', '2026-10'])
})

/** Three months of which the first is expired, and a transaction that reads tables of them, as that of pg_dump does. */
async function expiredMonthIsRead(tables: readonly string[]) {
  const api = await testApi({ partitions: 'month', retentionDays: 30, imageRetentionDays: 30 })
  const instants = ['2026-08-10', '2026-09-10', '2026-10-10'].map((day) => new Date(day))
  await ensureVehiclePartitions(api.db, instants, 'month')
  const dump = await api.db.reserve()
  await dump.query(sql`begin isolation level repeatable read`)
  for (const table of tables)
    for (const name of [table, ...(await listPartitions(api.db, table)).map(({ name }) => name)])
      await dump.query(raw(`lock table "${name}" in access share mode`))
  let isOpen = true
  const end = async () => {
    if (isOpen) await dump.query(sql`commit`)
    if (isOpen) dump.release()
    isOpen = false
  }
  onTestFinished(end)
  return { api, end, labels: (table: string) => labelsOf(api.db, table) }
}

const KEPT = ['2026-09', '2026-10']
const WITH_EXPIRED = ['2026-08', ...KEPT]

test.runIf(isOnOneServer)(
  'detaches a month that a dump reads for longer than any other statement may take',
  async () => {
    const { api, end, labels } = await expiredMonthIsRead(['vehicle_image', 'vehicle_detail', 'vehicle'])
    const impatient = connect(api.url, 2, 1_000)
    onTestFinished(() => impatient.end())
    const dropping = dropExpired(impatient, openFiles(api.app.api.config), api.clock.now, api.app.api.config)
    setTimeout(() => void end(), 3_000)
    expect(await dropping).toEqual([])
    for (const table of ['vehicle', 'vehicle_detail', 'vehicle_image']) expect(await labels(table)).toEqual(KEPT)
  },
)

test.runIf(isOnOneServer)(
  'a month that a dump reads for too long waits for the next run, and delays no other table',
  async () => {
    const { api, end, labels } = await expiredMonthIsRead(['vehicle_image'])
    const limits = { detachMs: 300, lockMs: 100, attempts: 2, delayMs: 50 }
    const drop = () => dropExpired(api.db, openFiles(api.app.api.config), api.clock.now, api.app.api.config, limits)
    // Interrupted at first, and then not completed.
    for (const _ of ['first', 'second']) {
      expect(await drop()).toEqual(['vehicle_image_2026_08'])
      expect(await labels('vehicle_image')).toEqual(WITH_EXPIRED)
      for (const table of ['vehicle', 'vehicle_detail']) expect(await labels(table)).toEqual(KEPT)
    }
    const metrics = async () => (await api.app.api.http.inject('/metrics')).body
    expect(await metrics()).toMatch(/^rogatka_partitions_overdue 1$/m)
    await end()
    expect(await drop()).toEqual([])
    expect(await labels('vehicle_image')).toEqual(KEPT)
    api.clock.now = new Date(api.clock.now.getTime() + 60_000)
    expect(await metrics()).toMatch(/^rogatka_partitions_overdue 0$/m)
  },
)

test('retention is tried again each hour', async () => {
  const { recurring } = (await testApi()).app.jobs
  const cronOf = (task: string) => recurring.find(({ name }) => name === task)?.cron
  expect(cronOf('drop-expired')).toBe('30 * * * *')
  expect(cronOf('drop-expired-access-trail')).toBe('35 * * * *')
})

test('vehicles before and after New Year are counted in partitions of their years', async () => {
  const api = await testApi()
  const station = await api.station()
  const years = ['2079-12-31T23:30:00Z', '2080-01-01T00:30:00Z', '2081-12-31T23:59:59.999Z']
  for (const [index, createdAt] of years.entries()) {
    api.clock.now = new Date(Date.parse(createdAt) + 1_000)
    await send(station, [car(index + 1, { createdAt })])
  }
  // The first one has all hours until a year begins after the migration.
  const [first, ...later] = await labelsOf(api.db, 'traffic_hour')
  expect(first).toMatch(/^1970-01-01-\d+$/)
  expect(later.slice(-3)).toEqual(['2079-01-01-365', '2080-01-01-366', '2081-01-01-365'])
  expect((await boundsOf(api.db, 'traffic_hour')).from).toEqual(new Date('1970-01-01T00:00:00Z'))
  const user = await api.as('Stat')
  const { body } = await user.call(stat, {
    query: {
      dateTimeStart: '2079-12-31T22:00:00Z',
      dateTimeEnd: '2080-01-01T02:00:00Z',
      locations: '7',
      statResolutionUnit: 'hour',
      statResolutionValue: 1,
      addGraph: false,
    },
  })
  expect(body[0]?.periods.map(({ start, summary }) => [start, summary])).toEqual([
    ['2079-12-31T22:00:00.000Z', 0],
    ['2079-12-31T23:00:00.000Z', 1],
    ['2080-01-01T00:00:00.000Z', 1],
    ['2080-01-01T01:00:00.000Z', 0],
  ])
})

test('an image is stored by UTC month, day, hour and station, with time, type and digest in its name', () => {
  const createdAt = new Date('2026-10-31T23:05:07.008Z')
  const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(imagePath({ id: 42, locationId: 7, createdAt }, { type: 1, sha256 })).toBe(
    'images/2026-10/31/23/7/42-1793487907008-1-ba7816bf8f01cfea.jpg',
  )
})

test.runIf(isOnOneServer)('completes an interrupted drop', async () => {
  const api = await testApi()
  const instants = ['2020-01-10', '2020-02-10', '2026-10-10'].map((day) => new Date(day))
  await ensureVehiclePartitions(api.db, instants, 'month')
  await api.db.execute(sql`alter table vehicle detach partition vehicle_2020_01`)
  await api.db.execute(sql`update pg_inherits set inhdetachpending = true where inhrelid = 'vehicle_2020_02'::regclass`)
  await api.app.jobs.recurring.find(({ name }) => name === 'drop-expired')?.work()
  for (const table of ['vehicle', 'vehicle_detail', 'vehicle_image'])
    expect(await labelsOf(api.db, table)).toEqual(['2026-10'])
})

/** Partition bounds from the catalogue, and whether they are contiguous. */
async function boundsOf(db: Parameters<typeof listPartitions>[0], table: string) {
  const bounds = await db.query<{ from: Date; to: Date }>(sql`
    select (regexp_match(bound, $$FROM [(]'([^']+)'$$))[1]::timestamptz as from,
           (regexp_match(bound, $$TO [(]'([^']+)'$$))[1]::timestamptz as to
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    cross join lateral pg_get_expr(c.relpartbound, c.oid) bound
    where i.inhparent = ${table}::regclass
    order by 1`)
  const seamless = bounds.every(({ to }, i) => i === bounds.length - 1 || +to === +(bounds[i + 1]?.from ?? 0))
  return { from: bounds[0]?.from, to: bounds.at(-1)?.to, seamless, count: bounds.length }
}

test.runIf(isOnOneServer)('switching between months and weeks leaves no gap or overlap of partitions', async () => {
  const api = await testApi({ partitions: 'week' })
  const at = (day: string) => new Date(`${day}T08:00:00Z`)
  const prepare = async (day: string, span: PartitionUnit) => preparePartitions(api.db, at(day), span)
  await prepare('2026-10-20', 'month')
  await prepare('2026-11-20', 'week')
  expect((await labelsOf(api.db, 'vehicle')).slice(3)).toEqual([
    '2026-12',
    '2027-01-01-3',
    '2027-01-04-7',
    '2027-01-11-7',
    '2027-01-18-7',
  ])
  await prepare('2026-12-20', 'month')
  expect((await labelsOf(api.db, 'vehicle')).slice(8)).toEqual(['2027-01-25-7', '2027-02'])
  for (const table of ['vehicle', 'vehicle_detail', 'vehicle_image'])
    expect(await boundsOf(api.db, table)).toEqual({
      from: new Date('2026-09-01'),
      to: new Date('2027-03-01'),
      seamless: true,
      count: 10,
    })

  api.clock.now = new Date('2027-02-20T08:00:00Z')
  const station = await api.station()
  const days = ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00Z', '2027-01-03T23:59:59.999Z', '2027-01-04T00:00:00Z']
  const vehicles = days.map((createdAt, i) => car(i + 1, { createdAt }))
  expect((await send(station, vehicles)).body.accepted).toBe(4)
  // Before the prepared range: the week of a late vehicle, cut at an existing month.
  const late = car(5, { createdAt: '2026-08-31T12:00:00Z' })
  expect((await send(station, [late])).body.accepted).toBe(1)
  expect((await labelsOf(api.db, 'vehicle'))[0]).toBe('2026-08-31-1')
  const stored = await api.db.query(sql`
    select tableoid::regclass::text as name, count(*)::int as vehicles from vehicle group by 1 order by 1`)
  expect(stored.map(({ name, vehicles }) => `${name} ${vehicles}`)).toEqual([
    'vehicle_2026_08_31_1 1',
    'vehicle_2026_12 1',
    'vehicle_2027_01_01_3 2',
    'vehicle_2027_01_04_7 1',
  ])
  expect((await verifyRollUp(api.db)).differences).toEqual([])
})

test('two processes with different partition units create no overlap', async () => {
  const api = await testApi()
  const other = await testApi({}, api)
  const prepare = (db: typeof api.db, span: PartitionUnit) => preparePartitions(db, api.clock.now, span)
  await Promise.all([prepare(api.db, 'week'), prepare(other.db, 'month')])
  const { seamless, from, to } = await boundsOf(api.db, 'vehicle')
  expect(seamless).toBe(true)
  expect(from?.getTime()).toBeLessThanOrEqual(Date.parse('2026-09-15'))
  expect(to?.getTime()).toBeGreaterThan(Date.parse('2026-12-21'))
})

test('deletes the day folders of expired weeks, and the folder of a month that has ended', () => {
  const folders = (from: string, to: string) => imageFolders({ from: new Date(from), to: new Date(to) })
  expect(folders('2026-10-01', '2026-11-01')).toEqual(['images/2026-10'])
  expect(folders('2026-10-19', '2026-10-22')).toEqual(['images/2026-10/19', 'images/2026-10/20', 'images/2026-10/21'])
  expect(folders('2026-10-30', '2026-11-02')).toEqual(['images/2026-10', 'images/2026-11/01'])
})

test('drops a week with its images as soon as all of it has expired', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-upkeep-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const api = await testApi({ dataDir, partitions: 'week', retentionDays: 90, imageRetentionDays: 10 })
  const station = await api.station()
  // Monday 5 October to Sunday 11, and the day after.
  const vehicles = ['2026-10-11T23:00:00Z', '2026-10-12T01:00:00Z'].map((createdAt, i) => car(i + 1, { createdAt }))
  await send(station, vehicles)
  for (const vehicle of vehicles) await sendImage(station, vehicle, 'front', await jpeg())
  const drop = () => api.app.jobs.recurring.find(({ name }) => name === 'drop-expired')?.work()
  api.clock.now = new Date('2026-10-21T23:59:00Z')
  await drop()
  expect(await labelsOf(api.db, 'vehicle_image')).toEqual(['2026-10-05-7', '2026-10-12-7'])
  api.clock.now = new Date('2026-10-22T00:00:00Z')
  await drop()
  expect(await labelsOf(api.db, 'vehicle_image')).toEqual(['2026-10-12-7'])
  expect(await labelsOf(api.db, 'vehicle')).toEqual(['2026-10-05-7', '2026-10-12-7'])
  expect(await readdir(join(dataDir, 'files/images/2026-10'))).toEqual(['12'])
})
