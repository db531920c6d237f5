import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addTag } from '@rogatka/contract/archive.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { expect, onTestFinished, test } from 'vitest'
import { monthsBetween, partitionsOf } from '../core/partitions.ts'
import { testApi } from '../core/testing.ts'
import { car, jpeg, send, sendPicture } from '../ingest/testing.ts'
import { ensurePartitions } from './queries.ts'
import { preparePartitions } from './upkeep.ts'
import { verifyRollUp } from './verify.ts'

const monthsOf = async (sql: Parameters<typeof partitionsOf>[0], table: string) =>
  (await partitionsOf(sql, table)).map(({ month }) => month)

test('months hold every instant between two, in UTC', () => {
  expect(monthsBetween(new Date('2025-11-30T23:59:59Z'), new Date('2026-02-01T00:00:00Z'))).toEqual([
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
  ])
})

test('partitions stand ready before their month, and two processes may make them at once', async () => {
  const api = await testApi()
  const other = await testApi({}, api)
  await Promise.all([api, other, api].map(({ sql }) => preparePartitions(sql, api.clock.now)))
  for (const table of ['vehicle', 'vehicle_detail', 'vehicle_image'])
    expect(await monthsOf(api.sql, table)).toEqual(['2026-09', '2026-10', '2026-11', '2026-12'])
})

test('expired months go with their pictures’ files, the rest and the roll-up stay', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'rogatka-upkeep-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const api = await testApi({ dataDir, retentionDays: 90, imageRetentionDays: 30 })
  const station = await api.station()
  const august = car(1, { createdAt: '2026-08-31T23:59:59.999Z' })
  const september = car(2, { createdAt: '2026-09-30T23:59:59.999Z' })
  const october = car(3)
  const sent = async (...vehicles: (typeof august)[]) => {
    await send(station, vehicles)
    for (const vehicle of vehicles) await sendPicture(station, vehicle, 'front', await jpeg())
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
  expect(await monthsOf(api.sql, 'vehicle')).toEqual(['2026-08', '2026-09', '2026-10'])
  expect(await monthsOf(api.sql, 'vehicle_image')).toEqual(['2026-09', '2026-10'])
  expect(await folders()).toEqual(['2026-09', '2026-10'])

  api.clock.now = new Date('2026-11-30T00:00:00Z')
  await drop()
  expect(await monthsOf(api.sql, 'vehicle')).toEqual(['2026-09', '2026-10'])
  expect(await monthsOf(api.sql, 'vehicle_detail')).toEqual(['2026-09', '2026-10'])
  expect(await folders()).toEqual(['2026-10'])
  expect(await api.sql`select 1 from vehicle`).toHaveLength(2)
  expect(await api.sql`select 1 from tag`).toHaveLength(1)
  expect(await api.sql`select sum(vehicles)::int as sum from traffic_hour`).toEqual([{ sum: 3 }])
  // A recount leaves out the hours whose vehicles are gone.
  expect(await verifyRollUp(api.sql)).toEqual({ vehicles: 2, rows: 2, differences: [] })
})

test('a removal that was cut short is finished by the next', async () => {
  const api = await testApi()
  await ensurePartitions(api.sql, ['2020-01', '2020-02', '2026-10'])
  await api.sql`alter table vehicle detach partition vehicle_2020_01`
  await api.sql`update pg_inherits set inhdetachpending = true where inhrelid = 'vehicle_2020_02'::regclass`
  await api.app.jobs.recurring.find(({ name }) => name === 'drop-expired')?.work()
  for (const table of ['vehicle', 'vehicle_detail', 'vehicle_image'])
    expect(await monthsOf(api.sql, table)).toEqual(['2026-10'])
})
