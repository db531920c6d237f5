import * as endpoints from '@rogatka/contract/imports.ts'
import { summary } from '@rogatka/contract/statistics-distributions.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import type { Config } from '../config.ts'
import { raw, sql } from '../core/statement.ts'
import { deriveDistributionDays, deriveTraffic } from '../statistics/derive.ts'
import { verifyDistributions } from '../statistics/distribution-verify.ts'
import { randomLorry, stationAt } from '../statistics/testing.ts'
import { verifyDerived } from '../statistics/verify.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'
import { verifyRollUp } from '../vehicle/verify.ts'
import { detailOf, reasonsOf, runImport, startRun, tryFile, vehicleCount } from './testing.ts'

/* Rows older than the retention of vehicles, which go only into figures, by whole days of stations. */

const NOW = new Date('2026-10-20T10:00:00Z')
/** 30 days before: 12 o'clock in Poland on 20 September. */
const RETENTION_DAYS = 30
const [OLDER, OLD, PARTLY, KEPT] = ['2026-09-10', '2026-09-11', '2026-09-20', '2026-09-21']
const LEVELS = ['speed', 'speed_total', 'load', 'axle', 'axle_total', 'headway', 'hour'] as const
const ROLL_UPS = ['traffic', 'profile', ...LEVELS].map((name) => `${name}_day`)
const MONTHS = ['traffic', ...LEVELS].map((name) => `${name}_month`)

type Row = { station: number; at: Date; text: string }

/** Vehicles of two stations; on the first two days also around midnight, so that headways reach into the second one. */
function anyRows(): Row[] {
  const random = seededRandom(17)
  let sequence = 0
  const row = (station: number, at: Date): Row => {
    const vehicle = randomLorry(random, ++sequence, at)
    return { station, at, text: JSON.stringify({ locationId: station, ...vehicle }) }
  }
  const spread = [OLDER, OLD, PARTLY, KEPT].flatMap((day) =>
    Array.from({ length: 80 }, () => {
      const at = new Date(Date.parse(`${day}T00:00:00+02:00`) + (1 + random.next() * 22) * 3_600_000)
      return row(random.pick([5, 6]), at)
    }),
  )
  const midnight = Date.parse(`${OLD}T00:00:00+02:00`)
  return [...spread, ...[-40_000, -9_000, 3_000, 20_000, 35_000].map((ms) => row(5, new Date(midnight + ms)))]
}

const dayOf = ({ at }: Row) => new Date(at.getTime() + 2 * 3_600_000).toISOString().slice(0, 10)
const textOf = (rows: readonly Row[]) => rows.map(({ text }) => text).join('\n')

async function portal(settings: Partial<Config> = {}) {
  const api = await testApi(settings)
  api.clock.now = NOW
  for (const id of [5, 6]) await api.station(stationAt(id, 2))
  return { api, user: await api.as('Exchange', 'Stat') }
}

async function derive({ db, clock }: TestApi) {
  await deriveTraffic(db, clock.now)
  await deriveDistributionDays(db)
}

/** All rows of a table, as text in one order. */
async function rowsOf({ db }: TestApi, table: string) {
  const rows = await db.query<{ row: string }>(raw(`select to_jsonb(t)::text as row from ${table} t order by 1`))
  return rows.map(({ row }) => row)
}

const hoursOf = (api: TestApi) => rowsOf(api, '(select * from traffic_hour union all select * from figure_hour)')

async function verified({ db }: TestApi) {
  const results = [await verifyRollUp(db), await verifyDerived(db), await verifyDistributions(db)]
  return results.flatMap(({ differences }): readonly unknown[] => differences)
}

test('days older than the retention are only in the figures, which equal those of stored vehicles', async () => {
  const rows = anyRows()
  const ofDay = (day: string) => rows.filter((row) => dayOf(row) === day)
  const tooOld = rows[0]?.text.replace('2026-09-10', '1979-12-31') as string
  const [stored, counted] = [await portal(), await portal({ retentionDays: RETENTION_DAYS })]

  const all = await tryFile(stored.api, stored.user, textOf(rows), 'own.jsonl')
  expect(all.trial).toMatchObject({ new: rows.length, figuresOnly: 0, figureDays: 0, replacedDays: 0 })
  expect(await runImport(stored.api, stored.user, all.id)).toMatchObject({ written: rows.length, figures: 0 })
  await derive(stored.api)

  const tried = await tryFile(counted.api, counted.user, `${textOf(rows)}\n${rows[0]?.text}\n${tooOld}`, 'own.jsonl')
  const old = [OLDER, OLD, PARTLY].flatMap(ofDay)
  const stationDays = new Set(old.map((row) => `${row.station} ${dayOf(row)}`)).size
  expect(stationDays).toBe(6)
  expect(tried.trial).toMatchObject({
    ...{ rows: rows.length + 2, new: rows.length, duplicates: 1, refused: 1 },
    ...{ figuresOnly: old.length, figureDays: stationDays, replacedDays: 0 },
    days: [OLDER, OLD, PARTLY, KEPT].map((day) => {
      const vehicles = ofDay(day).length
      return { day, vehicles, figuresOnly: day === KEPT ? 0 : vehicles }
    }),
  })
  expect(reasonsOf(tried)).toEqual(['1 measurement-too-old'])
  expect(await rowsOf(counted.api, 'figure_vehicle')).toEqual([])
  expect(await runImport(counted.api, counted.user, tried.id)).toMatchObject({
    ...{ state: 'done', written: rows.length, figures: old.length, collected: 0, duplicates: 1, refused: 1 },
  })
  expect(await vehicleCount(counted.api)).toBe(ofDay(KEPT).length)
  expect(await rowsOf(counted.api, 'figure_vehicle')).toEqual([])
  expect((await hoursOf(counted.api)).sort()).toEqual((await hoursOf(stored.api)).sort())
  // Before the job: days are read from their hours, distributions as they were counted.
  const range = { from: OLDER, until: KEPT, locations: [5, 6] } as never
  const figures = async ({ user }: typeof stored) => (await user.call(summary, { query: range })).body
  expect(await figures(counted)).toEqual(await figures(stored))
  await derive(counted.api)
  for (const table of [...ROLL_UPS, ...MONTHS])
    expect(await rowsOf(counted.api, table), table).toEqual(await rowsOf(stored.api, table))
  expect(await figures(counted)).toEqual(await figures(stored))
  const found = await figures(counted)
  expect(found.map(({ location, vehicles }) => [location.id, vehicles])).toEqual(
    [5, 6].map((station) => [station, rows.filter((row) => row.station === station).length]),
  )
  expect(await verified(stored.api)).toEqual([])
  expect(await verified(counted.api)).toEqual([])

  // Rebuilding everything keeps what cannot be counted again.
  const kept = await rowsOf(counted.api, 'load_day')
  await counted.api.db.execute(sql`insert into traffic_mark (location_id, day) select location_id, day from figure_day`)
  await derive(counted.api)
  expect(await rowsOf(counted.api, 'load_day')).toEqual(kept)
  expect(await verified(counted.api)).toEqual([])

  // Another file with a day replaces it; the same rows would add nothing if they were stored.
  const part = ofDay(OLD).filter(({ station }, at) => station === 5 && at % 2 === 0)
  const again = await tryFile(counted.api, counted.user, textOf([...part, ...ofDay(KEPT)]), 'own.jsonl')
  expect(again.trial).toMatchObject({ new: part.length, figuresOnly: part.length, figureDays: 1, replacedDays: 1 })
  expect(await runImport(counted.api, counted.user, again.id)).toMatchObject({ figures: part.length, refused: 0 })
  await derive(counted.api)
  const days = await counted.api.db.query(sql`
    select day::text, sum(vehicles)::int as vehicles from traffic_day where location_id = 5 group by day order by day`)
  const ofStation = (day: string) => ofDay(day).filter(({ station }) => station === 5).length
  expect(days).toEqual([
    { day: OLDER, vehicles: ofStation(OLDER) },
    { day: OLD, vehicles: part.length },
    { day: PARTLY, vehicles: ofStation(PARTLY) },
    { day: KEPT, vehicles: ofStation(KEPT) },
  ])
  expect(await verified(counted.api)).toEqual([])
})

test('a day that the station has measured is never replaced, and an interrupted import leaves no day half counted', async () => {
  const rows = anyRows()
  const { api, user } = await portal()
  const station5 = rows.filter((row) => row.station === 5 && dayOf(row) === OLD)
  const first = await tryFile(api, user, textOf(station5), 'own.jsonl')
  await runImport(api, user, first.id)
  await derive(api)
  const before = await hoursOf(api)

  // Three years later.
  api.clock.now = new Date('2029-10-20T10:00:00Z')
  const later = await api.as('Exchange')
  const tried = await tryFile(api, later, textOf(rows), 'own.jsonl')
  expect(reasonsOf(tried)).toEqual([`${station5.length} day-measured`])
  expect(tried.trial).toMatchObject({ figuresOnly: rows.length - station5.length, figureDays: 7, replacedDays: 0 })
  await startRun(later, tried.id)
  // As if the process had died after it read the file: its rows are collected, no day is counted.
  await api.db.execute(sql`
    create function stop() returns trigger language plpgsql as $$ begin raise exception 'stopped'; end $$`)
  await api.db.execute(sql`create trigger stop before insert on figure_day for each row execute function stop()`)
  await api.runJobs()
  const stopped = await detailOf(later, tried.id)
  expect(stopped).toMatchObject({ state: 'failed', written: 0, figures: 0, collected: rows.length - station5.length })
  expect(await hoursOf(api)).toEqual(before)
  await api.db.execute(sql`drop trigger stop on figure_day`)
  expect(await runImport(api, later, tried.id)).toMatchObject({
    ...{ state: 'done', written: rows.length - station5.length, refused: station5.length, collected: 0 },
  })
  await derive(api)
  const [measured] = await api.db.query(sql`
    select sum(vehicles)::int as vehicles from traffic_day where location_id = 5 and day = ${OLD}::date`)
  expect(measured).toEqual({ vehicles: station5.length })
  expect(await verified(api)).toEqual([])

  // A cancelled import leaves nothing behind.
  const cancelled = await tryFile(api, later, textOf(rows), 'own.jsonl')
  expect(cancelled.trial).toMatchObject({ figureDays: 7, replacedDays: 7 })
  await api.db.execute(sql`create trigger stop before insert on figure_day for each row execute function stop()`)
  await startRun(later, cancelled.id)
  await api.runJobs()
  await later.call(endpoints.cancel, { params: { id: cancelled.id } })
  expect(await detailOf(later, cancelled.id)).toMatchObject({ state: 'cancelled', written: 0, collected: 0 })
  expect(await rowsOf(api, 'figure_vehicle')).toEqual([])
})
