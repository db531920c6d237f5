import { stat, type WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { isOnOneServer } from '../testing/databases.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'
import { deriveTraffic } from './derive.ts'
import { trafficCells } from './queries.ts'
import { stationAt } from './testing.ts'
import { verifyDerived } from './verify.ts'

const LOCATION = 5
const NOW = new Date('2026-12-03T12:00:00Z')

const marks = (api: TestApi) => api.db.query(sql`select day::text from traffic_mark order by day`)
const days = (api: TestApi) => api.db.query(sql`select day::text, vehicles from traffic_day order by day`)
const months = (api: TestApi) => api.db.query(sql`select month::text, vehicles from traffic_month order by month`)

const total = async (api: TestApi, query: Partial<WireStatisticFilters>) => {
  const { body } = await (await api.as('Stat')).call(stat, {
    query: {
      dateTimeStart: '2026-09-30T22:00:00Z',
      dateTimeEnd: '2026-12-31T23:00:00Z',
      statResolutionUnit: 'day',
      statResolutionValue: 1,
      locations: LOCATION,
      addGraph: false,
      ...query,
    },
  })
  return body[0]?.summary
}

async function opened(now = NOW) {
  const api = await testApi()
  api.clock.now = now
  const station = await api.station(stationAt(LOCATION, 2))
  let sequence = 0
  const passAt = (...times: string[]) =>
    send(
      station,
      times.map((createdAt) => car(++sequence, { createdAt })),
    )
  return { api, station, passAt }
}

test('days and months start at midnight in Warsaw', async () => {
  const { api, passAt } = await opened()
  await passAt('2026-10-31T22:59:59Z', '2026-10-31T23:00:00Z', '2026-10-25T21:59:00Z', '2026-10-24T22:00:00Z')
  await deriveTraffic(api.db, NOW)
  expect(await days(api)).toEqual([
    { day: '2026-10-25', vehicles: 2 },
    { day: '2026-10-31', vehicles: 1 },
    { day: '2026-11-01', vehicles: 1 },
  ])
  expect(await months(api)).toEqual([
    { month: '2026-10-01', vehicles: 3 },
    { month: '2026-11-01', vehicles: 1 },
  ])
  expect(await marks(api)).toEqual([])
})

test('skips today and marks a dirty day once', async () => {
  const { api, passAt } = await opened()
  for (let i = 0; i < 5; i++) await passAt('2026-12-03T08:00:00Z')
  await passAt('2026-12-02T08:00:00Z')
  expect(await marks(api)).toHaveLength(6)
  expect(await deriveTraffic(api.db, NOW)).toBe(1)
  expect(await marks(api)).toEqual([{ day: '2026-12-03' }])
  expect(await days(api)).toEqual([{ day: '2026-12-02', vehicles: 1 }])
  expect(await months(api)).toEqual([])
  expect(await total(api, {})).toBe(6)

  expect(await deriveTraffic(api.db, new Date('2026-12-04T00:00:00Z'))).toBe(1)
  expect(await months(api)).toEqual([{ month: '2026-12-01', vehicles: 6 }])
})

test('a duplicate marks no dirty day', async () => {
  const { api, station } = await opened()
  const vehicle = car(1, { createdAt: '2026-11-10T08:00:00Z' })
  await send(station, [vehicle])
  await deriveTraffic(api.db, NOW)
  await send(station, [vehicle])
  expect(await marks(api)).toEqual([])
})

test('reads roll-ups of clean months and days, and hours of a dirty day', async () => {
  const { api, passAt } = await opened()
  await passAt('2026-10-10T08:00:00Z', '2026-10-11T08:00:00Z', '2026-11-10T08:00:00Z')
  await deriveTraffic(api.db, NOW)
  await api.db.execute(sql`update traffic_month set vehicles = vehicles + 1000`)
  await api.db.execute(sql`update traffic_day set vehicles = vehicles + 100`)
  expect(await total(api, { statResolutionUnit: 'month' })).toBe(3 + 2 * 1_000)
  expect(await total(api, { statResolutionUnit: 'day' })).toBe(3 + 3 * 100)
  expect(await total(api, { statResolutionUnit: 'hour' })).toBe(3)

  await passAt('2026-10-11T09:00:00Z')
  expect(await total(api, { statResolutionUnit: 'month' })).toBe(4 + 100 + 1_000)
  expect(await total(api, { statResolutionUnit: 'day' })).toBe(4 + 2 * 100)
})

test('verification finds manual changes and skips dirty days', async () => {
  const { api, passAt } = await opened()
  await passAt('2026-10-10T08:00:00Z', '2026-11-10T08:00:00Z')
  expect(await verifyDerived(api.db)).toEqual({ months: 2, differences: [] })
  await deriveTraffic(api.db, NOW)
  expect(await verifyDerived(api.db)).toEqual({ months: 2, differences: [] })

  await api.db.execute(sql`update traffic_day set load_max = load_max + 1 where day = '2026-10-10'`)
  await api.db.execute(sql`delete from traffic_month where month = '2026-11-01'`)
  const { differences } = await verifyDerived(api.db)
  expect(differences.map(({ level, side, row }) => [level, side, row.day ?? row.month]).sort()).toEqual([
    ['day', 'recounted', '2026-10-10'],
    ['day', 'stored', '2026-10-10'],
    ['month', 'recounted', '2026-11-01'],
  ])
})

test('a failed derivation changes nothing, and the next one completes it', async () => {
  const { api, passAt } = await opened()
  await passAt('2026-10-10T08:00:00Z', '2026-10-11T08:00:00Z')
  await deriveTraffic(api.db, NOW)
  await passAt('2026-10-10T09:00:00Z')
  const before = [await days(api), await months(api), await marks(api)]
  await api.db.execute(sql`alter table traffic_month add constraint full_disk check (vehicles < 3)`)
  await expect(deriveTraffic(api.db, NOW)).rejects.toThrow('full_disk')
  expect([await days(api), await months(api), await marks(api)]).toEqual(before)
  expect(await total(api, { statResolutionUnit: 'month' })).toBe(3)

  await api.db.execute(sql`alter table traffic_month drop constraint full_disk`)
  expect(await deriveTraffic(api.db, NOW)).toBe(1)
  expect(await months(api)).toEqual([{ month: '2026-10-01', vehicles: 3 }])
  expect((await verifyDerived(api.db)).differences).toEqual([])
})

test('every result counts whole batches during ingest and derivation', async () => {
  const { api, station } = await opened()
  // Each batch has a vehicle in every level: late ones of two months, one of yesterday, one of this minute.
  const times = [
    '2026-10-02T01:00:00Z',
    '2026-10-20T10:00:00Z',
    '2026-11-20T10:00:00Z',
    '2026-12-02T10:00:00Z',
    '2026-12-03T11:30:00Z',
  ]
  const batches = 40
  let sending = true
  const sender = (async () => {
    for (let batch = 0; batch < batches; batch++) {
      const { body } = await send(
        station,
        times.map((createdAt, i) => car(batch * times.length + i + 1, { createdAt })),
      )
      expect(body.accepted).toBe(times.length)
    }
    sending = false
  })()
  const deriver = (async () => {
    while (sending) await deriveTraffic(api.db, NOW)
  })()
  const question = { groupBy: 'lane', locations: [LOCATION], lanes: null, categories: null, violations: 0 } as const
  const starts = [new Date('2026-09-30T22:00:00Z')]
  // A part of an hour is counted from its vehicles, which Citus reads outside of the snapshot of the roll-ups.
  const end = new Date(isOnOneServer ? '2026-12-03T11:59:30Z' : '2026-12-03T12:00:00Z')
  let asked = 0
  while (sending) {
    const cells = await trafficCells(api.db, { ...question, statName: 'traffic', starts, end })
    expect(cells.reduce((sum, { vehicles }) => sum + vehicles, 0) % times.length).toBe(0)
    asked++
  }
  await Promise.all([sender, deriver])
  expect(asked).toBeGreaterThan(5)

  await deriveTraffic(api.db, NOW)
  expect((await verifyDerived(api.db)).differences).toEqual([])
  expect(await total(api, { statResolutionUnit: 'month' })).toBe(batches * times.length)
})

test('runs one derivation at a time', async () => {
  const { api, passAt } = await opened()
  await passAt(...Array.from({ length: 30 }, (_, i) => `2026-10-${String(i + 1).padStart(2, '0')}T08:00:00Z`))
  const derived = await Promise.all([1, 2, 3, 4].map(() => deriveTraffic(api.db, NOW)))
  expect(derived.reduce((a, b) => a + b)).toBe(30)
  expect(await months(api)).toEqual([{ month: '2026-10-01', vehicles: 30 }])
})
