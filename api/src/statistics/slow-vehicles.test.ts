import { readFile } from 'node:fs/promises'
import type { StatName } from '@rogatka/contract/options.ts'
import { stat, type WireStatisticFilters } from '@rogatka/contract/statistics.ts'
import { expect, test } from 'vitest'
import { raw, sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { isOnOneServer } from '../testing/databases.ts'
import { type Client, type TestApi, testApi } from '../testing/test-api.ts'
import { verifyRollUp } from '../vehicle/verify.ts'
import { deriveTraffic } from './derive.ts'
import { stationAt } from './testing.ts'
import { verifyDerived } from './verify.ts'

const MIGRATION = new URL('../../migrations/0065-recount-slow-vehicles.sql', import.meta.url)

const filters: WireStatisticFilters = {
  dateTimeStart: '2026-10-19T04:00:00.000Z',
  dateTimeEnd: '2026-10-19T05:00:00.000Z',
  locations: '7',
  statResolutionUnit: 'hour',
  statResolutionValue: 1,
  addGraph: false,
}

const passing = (speeds: readonly (number | null)[], firstSequence = 1) =>
  speeds.map((speed, i) =>
    car(firstSequence + i, { createdAt: `2026-10-19T04:${String(i + 1).padStart(2, '0')}:00.000Z`, speed }),
  )

async function opened(): Promise<{ api: TestApi; station: Client; user: Client }> {
  const api = await testApi()
  return { api, station: await api.station(stationAt(7, 1)), user: await api.as('Stat') }
}

/** The figures of the hour by statistic. */
async function figuresOf(user: Client, differing: Partial<WireStatisticFilters> = {}) {
  const names: StatName[] = ['traffic', 'trafficDensity', 'minSpeed', 'avgSpeed', 'maxSpeed']
  const entries = await Promise.all(
    names.map(async (statName) => {
      const { body } = await user.call(stat, { query: { ...filters, ...differing, statName } })
      return [statName, body[0]?.summary]
    }),
  )
  return Object.fromEntries(entries)
}

async function bySpeed(user: Client) {
  const { body } = await user.call(stat, { query: { ...filters, groupBy: 'speedRange' } })
  return Object.fromEntries((body[0]?.groups ?? []).map(({ value, summary }) => [value, summary]))
}

// Computed by hand: 1,000,000 / 91, / 139 and / 60 are 10,989, 7,194 and 16,667, in sum 34,850 of 3 vehicles; so 5
// vehicles per hour at a harmonic mean of 86.08 km/h are 0.058 per km.
const MIXED = [0, null, 91, 139, 60]
const MIXED_FIGURES = { traffic: 5, trafficDensity: 0.06, minSpeed: 60, avgSpeed: 96.7, maxSpeed: 139 }

test('treats speed 0 as not measured, in roll-ups and vehicles', async () => {
  const { api, station, user } = await opened()
  await send(station, passing(MIXED))
  expect(await figuresOf(user)).toEqual(MIXED_FIGURES)
  expect(await bySpeed(user)).toMatchObject({ 1: 0, 3: 1, 6: 1, 10: 1, unknown: 2 })
  // From a minute past the hour, single vehicles are counted.
  const part = { dateTimeStart: '2026-10-19T04:01:00.000Z' }
  expect(await figuresOf(user, part)).toMatchObject({ minSpeed: 60, avgSpeed: 96.7, trafficDensity: 0.06 })
  expect((await verifyRollUp(api.db)).differences).toEqual([])
})

test('speeds of 1 to 4 km/h count as 5 in the density, but unchanged in speed figures', async () => {
  const { api, station, user } = await opened()
  await send(station, passing([1, 4]))
  // 2 vehicles an hour at 5 km/h.
  const figures = { traffic: 2, trafficDensity: 0.4, minSpeed: 1, avgSpeed: 2.5, maxSpeed: 4 }
  expect(await figuresOf(user)).toEqual(figures)
  expect(await figuresOf(user, { dateTimeStart: '2026-10-19T04:00:30.000Z' })).toMatchObject({
    minSpeed: 1,
    trafficDensity: 0.4,
  })
  expect((await verifyRollUp(api.db)).differences).toEqual([])
})

test.runIf(isOnOneServer)('the migration recounts hours, days and months that counted speed 0 as 1 km/h', async () => {
  const { api, station, user } = await opened()
  const old = [...MIXED, 3, 20, 40]
  await send(station, passing(old))
  await send(station, passing([0, 0], 100))
  // As counted before: 0 below 50 km/h, with an inverse speed of 1 km/h.
  await api.db.execute(sql`delete from traffic_hour`)
  await api.db.execute(sql`
    insert into traffic_hour (
      location_id, hour, lane_number, ctg8p1, violations, speed_range, overspeed_range, vehicles,
      speeds, speed_sum, speed_min, speed_max, slowness_sum, loads, load_sum, load_min, load_max
    )
    select location_id, date_trunc('hour', created_at), lane_number, ctg8p1, violations,
           case when speed is null then 0 when speed < 50 then 1 when speed = 60 then 3 when speed = 91 then 6 else 10 end,
           case when speed = 139 then 4 else 0 end, count(*), count(speed), coalesce(sum(speed), 0), min(speed),
           max(speed), coalesce(sum(round(1000000.0 / greatest(speed, 1))) filter (where speed is not null), 0), count(total_load),
           coalesce(sum(total_load), 0), min(total_load), max(total_load)
    from vehicle group by 1, 2, 3, 4, 5, 6, 7`)
  await deriveTraffic(api.db, api.clock.now)
  expect(await figuresOf(user)).toMatchObject({ minSpeed: 0 })
  expect((await verifyRollUp(api.db)).differences).not.toEqual([])

  await api.db.query(raw(await readFile(MIGRATION, 'utf8')))

  expect((await verifyRollUp(api.db)).differences).toEqual([])
  expect(await figuresOf(user)).toMatchObject({ traffic: 10, minSpeed: 3 })
  expect(await bySpeed(user)).toMatchObject({ 1: 3, unknown: 4 })
  const month = { dateTimeStart: '2026-09-30T22:00:00.000Z', dateTimeEnd: '2026-10-31T23:00:00.000Z' }
  expect(await figuresOf(user, month)).toMatchObject({ minSpeed: 3, avgSpeed: 58.8 })
  await deriveTraffic(api.db, api.clock.now)
  expect((await verifyDerived(api.db)).differences).toEqual([])
  expect(await figuresOf(user, month)).toMatchObject({ minSpeed: 3, avgSpeed: 58.8 })
})

test('the density of a period that is not over counts its length until now', async () => {
  const { api, station, user } = await opened()
  const densities = async (now: string, differing: Partial<WireStatisticFilters> = {}) => {
    api.clock.now = new Date(now)
    const query = { ...filters, statName: 'trafficDensity' as const, ...differing }
    const { body } = await user.call(stat, { query })
    return [body[0]?.periods.map(({ summary }) => summary), body[0]?.summary]
  }
  api.clock.now = new Date('2026-10-19T04:30:00Z')
  // Three of five at 91, 139 and 60 km/h: 86.08 km/h; 5 in half an hour are 10 an hour, 10 / 86.08 = 0.1162.
  await send(station, passing([0, null, 91, 139, 60]))
  const byHour = { dateTimeEnd: '2026-10-19T06:00:00.000Z' }
  expect(await densities('2026-10-19T04:30:00Z')).toEqual([[0.12], 0.12])
  expect(await densities('2026-10-19T04:30:00Z', byHour)).toEqual([[0.12, null], 0.12])
  expect(await densities('2026-10-19T04:30:00Z', { ...byHour, hours: '6,7' })).toEqual([[0.12, null], 0.12])
  // The clock of a station may be ahead: a period that has not begun has no density.
  expect(await densities('2026-10-19T03:59:00Z')).toEqual([[null], null])
  // When it is over it is 5 / 86.08 = 0.0581, and over both hours half of it.
  expect(await densities('2026-10-19T07:00:00Z', byHour)).toEqual([[0.06, null], 0.03])
})
