import { readFile } from 'node:fs/promises'
import type { WireMeasurement } from '@rogatka/contract/ingest.ts'
import * as endpoints from '@rogatka/contract/statistics-distributions.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import { raw, sql } from '../core/statement.ts'
import { runImport, tryFile } from '../imports/testing.ts'
import { send } from '../ingest/testing.ts'
import { testApi } from '../testing/test-api.ts'
import { deriveDistributionDays, deriveTraffic } from './derive.ts'
import { verifyDistributions } from './distribution-verify.ts'
import { randomLorry, stationAt } from './testing.ts'

/* Vehicles above the limit by part of the day against a count of what was sent, with the limits at that time. */

const MIGRATION = new URL('../../migrations/0130-count-vehicles-above-the-limit-of-earlier-days.sql', import.meta.url)
const NOW = new Date('2026-12-03T12:00:00Z')
/** Vehicles before February go only into figures. */
const RETENTION_DAYS = 300
const RANGE = { from: '2025-10-01', until: '2026-12-03' }
const HOUR_MS = 3_600_000
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const TABLES = ['speed_day', 'speed_total_day', 'speed_month', 'speed_total_month']

type Limits = { light: number; heavy: number }
type VehicleWithLimits = { measured: WireMeasurement; limits: Limits | null }

const local = new Intl.DateTimeFormat('en-CA', {
  timeZone: 'Europe/Warsaw',
  ...{ weekday: 'short', hour: '2-digit', hourCycle: 'h23' },
})

/** Part of the day and weekday (0 Monday) of an instant in Poland. */
function timeOf(at: string) {
  const parts = Object.fromEntries(local.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))
  const hour = Number(parts.hour)
  const daypart = hour < 6 || hour >= 22 ? 'night' : hour < 18 ? 'day' : 'evening'
  return { daypart, weekday: WEEKDAYS.indexOf(parts.weekday ?? '') }
}

type Scope = { dayparts?: string; laneNumbers?: string; ctg8p1?: string; weekdays?: string }
const PARTS: Scope[] = [
  { dayparts: 'night' },
  { dayparts: 'day,evening' },
  { dayparts: 'night', laneNumbers: '2', ctg8p1: '8,9' },
  { dayparts: 'evening,night', weekdays: '5,6' },
]
const WHOLE: Scope[] = [{}, { dayparts: 'day,evening,night' }]

function expected(vehicles: readonly VehicleWithLimits[], { dayparts, laneNumbers, ctg8p1, weekdays }: Scope) {
  const isIn = (list: string | undefined, value: unknown) => list?.split(',').includes(String(value)) ?? true
  const counted = vehicles.filter(({ measured: { createdAt, laneNumber, ctg8p1: category, speed } }) => {
    const { daypart, weekday } = timeOf(String(createdAt))
    const isInTime = isIn(dayparts, daypart) && isIn(weekdays, weekday)
    return speed && isInTime && isIn(laneNumbers, laneNumber) && isIn(ctg8p1, category)
  })
  const aboveBy = (kmh: number) =>
    counted.filter(({ measured, limits }) => {
      const limit = measured.ctg8p1 === 7 ? limits?.light : limits?.heavy
      return limit !== undefined && Number(measured.speed) > limit + kmh
    }).length
  const isKnown = vehicles.some(({ limits }) => limits !== null)
  return {
    measured: counted.length,
    aboveLimit: isKnown ? aboveBy(0) : null,
    aboveLimitBy10: isKnown ? aboveBy(10) : null,
  }
}

async function opened() {
  const api = await testApi({ retentionDays: RETENTION_DAYS })
  api.clock.now = NOW
  const stations = {
    5: await api.station(stationAt(5, 2)),
    6: await api.station({ ...stationAt(6, 2), speedLimit: null, speedLimitHeavy: null }),
  }
  const user = await api.as('Exchange', 'Stat')
  const all: Record<5 | 6, VehicleWithLimits[]> = { 5: [], 6: [] }
  const random = seededRandom(23)
  let sequence = 0
  /** Vehicles of some hours from a time on, with the limits that apply to them. */
  const vehiclesFrom = (start: string, hours: number, count: number, limits: Limits | null): VehicleWithLimits[] =>
    Array.from({ length: count }, () => {
      const at = new Date(Date.parse(start) + random.below(hours * HOUR_MS))
      const category = random.pick([7, 3, 8, 9])
      return { measured: { ...randomLorry(random, ++sequence, at), ctg8p1: category, ctg323: null }, limits }
    })
  return {
    ...{ api, user },
    pass: async (id: 5 | 6, start: string, hours: number, count: number, limits: Limits | null) => {
      const vehicles = vehiclesFrom(start, hours, count, limits)
      const { body } = await send(
        stations[id],
        vehicles.map(({ measured }) => measured),
      )
      expect(body.rejected).toEqual([])
      all[id].push(...vehicles)
    },
    importFigures: async (starts: readonly string[], limits: Limits) => {
      const vehicles = starts.flatMap((start) => vehiclesFrom(start, 14, 80, limits))
      const rows = vehicles.map(({ measured }) => JSON.stringify({ locationId: 5, ...measured }))
      const { id } = await tryFile(api, user, rows.join('\n'), 'own.jsonl')
      expect(await runImport(api, user, id)).toMatchObject({ state: 'done', figures: rows.length })
      all[5].push(...vehicles)
    },
    derive: async () => {
      await deriveTraffic(api.db, NOW)
      await deriveDistributionDays(api.db)
    },
    differences: async () => (await verifyDistributions(api.db)).differences,
    check: async (about: string, scopes: readonly Scope[], range = RANGE) => {
      for (const scope of scopes) {
        const query = { ...range, ...scope, locations: '5,6' } as never
        const { status, body } = await user.call(endpoints.speed, { query })
        expect(status).toBe(200)
        const end = new Date(Date.parse(range.until) + 23 * HOUR_MS).toISOString()
        const counted = ([5, 6] as const).map((id) =>
          expected(
            all[id].filter(({ measured }) => String(measured.createdAt) < end),
            scope,
          ),
        )
        const found = body.map(({ measured, aboveLimit, aboveLimitBy10 }) => ({ measured, aboveLimit, aboveLimitBy10 }))
        expect(found, `${about} ${JSON.stringify(scope)}`).toEqual(counted)
        const sums = body.map(({ counts }) => counts.reduce((sum, count) => sum + count, 0))
        expect(sums).toEqual(counted.map(({ measured }) => measured))
      }
    },
  }
}

test('vehicles above the limit by part of the day are those of the vehicles sent, by the limit at that time', async () => {
  const { api, pass, importFigures, derive, differences, check } = await opened()
  const before = { light: 100, heavy: 80 }
  const after = { light: 90, heavy: 70 }
  // Around the change of clocks in autumn, and on a night after it.
  await importFigures(['2025-10-25T20:00:00Z', '2025-11-10T16:00:00Z'], before)
  for (const start of ['2026-03-28T20:00:00Z', '2026-05-04T22:00:00Z']) await pass(5, start, 23, 120, before)
  await pass(6, '2026-05-04T22:00:00Z', 24, 60, null)
  await api.db.execute(sql`update location set speed_limit = 90, speed_limit_heavy = 70 where id = 5`)
  // Stations are cached for ten seconds.
  api.clock.now = new Date(NOW.getTime() + 11_000)
  for (const start of ['2026-05-05T04:00:00Z', '2026-10-24T20:00:00Z', '2026-12-02T20:00:00Z'])
    await pass(5, start, 15, 120, after)
  await check('dirty', [...PARTS, ...WHOLE])

  await derive()
  await check('derived', [...PARTS, ...WHOLE])
  expect(await differences()).toEqual([])

  await pass(5, '2026-05-04T22:00:00Z', 24, 40, after)
  await check('late', [...PARTS, ...WHOLE])
  await derive()
  await check('derived again', [...PARTS, ...WHOLE])
  expect(await differences()).toEqual([])

  // Only of days whose vehicles are stored can these be counted again.
  await api.db.execute(sql`delete from vehicle where created_at < '2026-10-01T00:00:00Z'`)
  await api.db.execute(sql`insert into traffic_mark (location_id, day) values (5, '2026-05-05'), (5, '2025-10-26')`)
  await check('deleted', [...PARTS, ...WHOLE])
  await derive()
  await check('deleted and derived', [...PARTS, ...WHOLE])

  for (const table of TABLES) await api.db.execute(sql`update ${raw(table)} set above_limit = 0, above_limit_by_10 = 0`)
  expect(await differences()).not.toEqual([])
  await api.db.query(raw(await readFile(MIGRATION, 'utf8')))
  expect(await differences()).toEqual([])
  await check('migrated', [...PARTS, ...WHOLE])

  await api.db.execute(sql`delete from traffic_hour`)
  await api.db.execute(sql`delete from figure_hour`)
  await check('without hours', PARTS, { ...RANGE, until: '2026-12-01' })
})

test('speeds by part of the day are answered for any number of years and stations, also without hours', async () => {
  const { api, user } = await opened()
  for (const id of [7, 8]) await api.station(stationAt(id, 2))
  const query = { from: '2016-01-01', until: '2026-11-30', locations: '5,6,7,8', dayparts: 'night' } as never
  expect((await user.call(endpoints.speed, { query })).status).toBe(200)
})
