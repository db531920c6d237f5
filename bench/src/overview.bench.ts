import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import type { Pool } from '@rogatka/api/core/database.ts'
import { daysBetween } from '@rogatka/api/core/partitions.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { addLocation } from '@rogatka/api/locations/queries.ts'
import { deriveQuarters } from '@rogatka/api/overview/derive.ts'
import { recentCounts } from '@rogatka/api/overview/queries.ts'
import { ensureVehiclePartitions } from '@rogatka/api/vehicle/maintenance.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { overview } from '@rogatka/contract/overview.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@rogatka/domain/core/time.ts'
import { COMPARED_DAYS, quarterOf } from '@rogatka/domain/overview/comparable.ts'
import { isQuick, type Measurement, type Table } from './bench.ts'
import { median } from './compare.ts'
import { benchDatabase } from './database.ts'
import { signIn } from './sign-in.ts'
import { benchStation } from './traffic.ts'

const STATIONS = 180
const PER_SECOND = 40
const HOURS = isQuick ? 3 : 24
const VIEWERS = 300
const ROUNDS = isQuick ? 5 : 15
/** A Tuesday, so that 32 days of 8 weeks are comparable. */
const NOW = new Date('2026-10-20T08:07:00Z')

export const bench: Measurement = {
  summary: `The overview of ${STATIONS} stations with ${PER_SECOND} vehicles per second of all, ${HOURS} hours of vehicles and 8 weeks of quarters of an hour. Left out: sockets, browsers, vehicles that arrive meanwhile, several server processes, and viewers with stations of their own`,
  goal: `with nothing in memory in under 1 s; ${VIEWERS} viewers together in under 1 s, whatever is in memory`,
  measure: async () => [await measureOverview()],
}

async function measureOverview(): Promise<Table> {
  const { db, url, drop } = await benchDatabase()
  const config = { ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }
  let now = NOW
  const notes = await load(db)
  const app = await createApp(config, db, { now: () => now })
  try {
    await app.listen()
    const token = await signIn(db)
    const ask = async (viewers = 1) => {
      const request = { url: API_BASE + overview.path, headers: { authorization: `Bearer ${token}` } } as const
      const responses = await Promise.all(Array.from({ length: viewers }, () => app.api.http.inject(request)))
      for (const { statusCode, body } of responses) {
        if (statusCode !== 200 || !body.includes('"missing":[]')) throw new Error(body.slice(0, 200))
      }
      return responses[0]?.body ?? ''
    }
    notes.push(describe(await ask()))
    const later = (ms: number) => {
      now = new Date(now.getTime() + ms)
    }
    const ends = (at: Date) => ({ minute: at, quarter: new Date(quarterOf(at.getTime())) })
    const runs: [string, () => void, () => Promise<unknown>][] = [
      ['bare SQL: counts of the last hours', () => {}, () => recentCounts(db, ends(now))],
      ['all parts outdated', () => later(6 * MINUTE_MS), () => ask()],
      ['counts, tickets and signs outdated', () => later(11_000), () => ask()],
      ['only silence and wanted vehicles outdated', () => later(2_000), () => ask()],
      ['nothing outdated', () => {}, () => ask()],
      [`${VIEWERS} viewers, all parts outdated`, () => later(6 * MINUTE_MS), () => ask(VIEWERS)],
      [`${VIEWERS} viewers, nothing outdated`, () => {}, () => ask(VIEWERS)],
    ]
    const rows: string[][] = []
    for (const [name, before, run] of runs) {
      const times: number[] = []
      now = NOW
      await ask()
      // The first one warms up.
      for (let round = 0; round <= ROUNDS; round++) {
        before()
        const begin = performance.now()
        await run()
        if (round > 0) times.push(performance.now() - begin)
        // Later there are no vehicles.
        if (now.getTime() - NOW.getTime() > 12 * MINUTE_MS) now = NOW
      }
      rows.push([name, `${median(times).toFixed(1)} ms`, `${Math.max(...times).toFixed(1)} ms`])
    }
    return { head: ['overview', 'median', `slowest of ${ROUNDS}`], rows, notes }
  } finally {
    await app.close()
    await drop()
  }
}

const describe = (body: string): string => {
  const { stations } = JSON.parse(body) as { stations: { perHour: { vehicles: number; usual: { days: number } } }[] }
  const vehicles = stations.reduce((sum, { perHour }) => sum + perHour.vehicles, 0)
  return `${vehicles.toLocaleString('en')} vehicles in the last hour; a response of ${Math.round(body.length / 1_000)} kB`
}

/** Vehicles of the last hours, their quarters derived by the job, and the quarters of the weeks before. */
async function load(db: Pool): Promise<string[]> {
  const from = new Date(NOW.getTime() - HOURS * HOUR_MS)
  await ensureVehiclePartitions(db, daysBetween(from, NOW), 'month')
  for (let id = 1; id <= STATIONS; id++) await addLocation(db, benchStation(id, `overview ${id}`))
  let vehicles = 0
  for (let hour = 0; hour < HOURS; hour++) {
    const start = new Date(from.getTime() + hour * HOUR_MS)
    vehicles += await db.execute(sql`
      insert into vehicle (created_at, id, checkpoint_time, received_at, location_id, total_load, limit_total_load, overload_sa,
        overload_ma, overload_tl, lane_number, speed, speed_limit, veh_length, number_of_axles, ctg8p1, violations, plate_lpr)
      select at, (1 + n % ${STATIONS})::bigint * ${vehicleId(1, 0)}::bigint + ${hour * PER_SECOND * 3_600}::bigint + n, at + interval '3 minutes', at,
             1 + n % ${STATIONS}, case when n % 3 = 0 then 30000 + n % 15000 else 1500 end, 40000, 0, 0, 0, 1 + n % 2, 80, 90, 450,
             2, case when n % 3 = 0 then 9 else 7 end, case when n % 30 = 0 then 1 else 0 end, 'WX' || n
      from (select n, ${start}::timestamptz + n * interval '1 second' / ${PER_SECOND}::float8 as at
            from generate_series(0, ${PER_SECOND * 3_600 - 1}) as n) v`)
  }
  await db.execute(sql`
    insert into location_activity (location_id, last_vehicle_time)
    select location_id, max(created_at) from vehicle where created_at > ${NOW}::timestamptz - interval '1 hour' group by 1`)
  await db.execute(sql`
    insert into arrival (location_id, hour, written_by)
    select distinct location_id, date_trunc('hour', created_at, 'UTC'), pg_current_xact_id()::text::bigint from vehicle`)
  await db.execute(sql`vacuum analyze vehicle`)
  const begin = performance.now()
  await deriveQuarters(db, NOW)
  const seconds = (performance.now() - begin) / 1_000
  const perQuarter = (PER_SECOND * 900) / STATIONS
  const quarters = await db.execute(sql`
    insert into traffic_quarter (quarter, location_id, vehicles, weighed, overloaded)
    select q, s, ${perQuarter}::float8 * (70 + (extract(epoch from q)::bigint / 900 * 7919 + s * 104729) % 60) / 100, ${perQuarter / 3}::float8::int,
           ${perQuarter / 30}::float8::int
    from generate_series(${new Date(NOW.getTime() - COMPARED_DAYS * DAY_MS)}::timestamptz, ${from}::timestamptz - interval '1 hour', interval '15 minutes') as g (at),
         date_bin('15 minutes', at, '2000-01-01T00:00:00Z') as q, generate_series(1, ${STATIONS}) as s
    on conflict do nothing`)
  await db.execute(sql`vacuum analyze traffic_quarter`)
  const number = (value: number) => value.toLocaleString('en')
  return [
    `${number(vehicles)} vehicles, whose quarters the job derived in ${seconds.toFixed(1)} s; ${number(quarters)} more quarters.`,
  ]
}
