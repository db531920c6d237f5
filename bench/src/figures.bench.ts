import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import type { Database } from '@rogatka/api/core/database.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { API_BASE, type Endpoint, type WireOf } from '@rogatka/contract/endpoint.ts'
import {
  equivalentAxles,
  headway,
  loads,
  profile,
  speed,
  summary,
  type WireDistributionFilters,
} from '@rogatka/contract/statistics-distributions.ts'
import { fromWarsaw } from '@rogatka/domain/core/warsaw.ts'
import { loadArchive, stationIds } from './archive-data.ts'
import { STATIONS, UNTIL, VEHICLES } from './archive-database.ts'
import { isQuick, type Measurement, type Table } from './bench.ts'
import { median } from './compare.ts'
import { benchDatabase, openDatabase, withoutTimeLimit } from './database.ts'
import { deriveFigures } from './figures-data.ts'
import { measureDerivation } from './figures-derivation.ts'
import { createProcessorClock } from './processor-time.ts'
import { signIn } from './sign-in.ts'

/** A year and some days, so that no range is everything. */
const DAYS = isQuick ? 70 : 395
const ROUNDS = isQuick ? 3 : 7
const BASELINE_ROUNDS = 1

type Range = { from: string; until: string }
type Query = Omit<WireDistributionFilters, 'locations'> & { dayparts?: string }

/** Twelve whole months; a year with parts of months at both ends; and one that ends today. */
const RANGES: Record<string, Range> = isQuick
  ? {
      'whole month': { from: '2026-09-01', until: '2026-09-30' },
      'up to yesterday': { from: '2026-08-20', until: '2026-10-19' },
      'up to today': { from: '2026-08-21', until: '2026-10-20' },
    }
  : {
      'whole months': { from: '2025-10-01', until: '2026-09-30' },
      'up to yesterday': { from: '2025-10-20', until: '2026-10-19' },
      'up to today': { from: '2025-10-21', until: '2026-10-20' },
    }

const FIGURES: [string, Endpoint & { path: string }, Partial<Query>][] = [
  ['summary', summary, {}],
  ['speeds', speed, {}],
  ['speeds, by night', speed, { dayparts: 'night' }],
  ['headways', headway, {}],
  ['loads', loads, {}],
  ['loads, lane 1, lorries', loads, { laneNumbers: '1', ctg8p1: '3,8,9' }],
  ['equivalent axles', equivalentAxles, {}],
  ['hours of the week', profile, {}],
  ['hours of the week, lane 1, lorries', profile, { laneNumbers: '1', ctg8p1: '3,8,9' }],
]

const count = (value: number) => value.toLocaleString('en')

export const bench: Measurement = {
  summary: `Traffic figures of ${STATIONS} stations over a year with ${count(VEHICLES)} vehicles, through the API, against the counts of speeds from the vehicles in bare SQL; before, speeds, gross weights and equivalent axles are compared with a recount in SQL. Then: deriving a busy day of ${STATIONS} stations, while stations post and operators poll. Left out: TLS, a proxy, several server processes, several users of the figures at the same time, and images`,
  goal: 'each figure of a year within 150 ms; a day of 40 stations derived within 60 s, without slowing operators',
  measure: async () => [await measureFigures(), await measureDerivation()],
}

async function figuresDatabase() {
  const folder = process.env.BENCH_DATA_DIR
  const database = folder ? await openDatabase(folder) : await benchDatabase()
  const { db, url } = database
  const [found] = await db.query<{ exists: boolean }>(sql`select exists (select from profile_day)`)
  if (!found?.exists) {
    await loadArchive(db, url, { vehicles: VEHICLES, days: DAYS, stations: STATIONS, until: UNTIL })
    await deriveFigures(db, UNTIL)
    await withoutTimeLimit(url, (db) => db.execute(sql`vacuum analyze`))
  }
  return database
}

async function measureFigures(): Promise<Table> {
  const { db, url, drop } = await figuresDatabase()
  const config = { ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }
  const app = await createApp(config, db, { now: () => UNTIL })
  try {
    const token = await signIn(db, UNTIL)
    const ask = async <E extends Endpoint & { path: string }>(endpoint: E, query: Query) => {
      const { statusCode, body } = await app.api.http.inject({
        url: API_BASE + endpoint.path,
        headers: { authorization: `Bearer ${token}` },
        query: { ...(query as Record<string, string>), locations: stationIds(STATIONS).join() },
      })
      if (statusCode !== 200) throw new Error(body)
      return JSON.parse(body) as WireOf<E, 'response'>
    }
    const [range] = Object.values(RANGES) as [Range]
    await withoutTimeLimit(url, (db) => assertRecount(db, range, ask))
    const clock = await createProcessorClock(db)
    const baseline = await withoutTimeLimit(url, (db) =>
      timesOf(BASELINE_ROUNDS, clock, () => speedsOfVehicles(db, range)),
    )
    const bare = median(baseline.times)
    const row = (name: string, { times, processor }: Times) => [
      name,
      `${median(times).toFixed(1)} ms`,
      `${Math.max(...times).toFixed(1)} ms`,
      `${processor.toFixed(1)} ms`,
      (bare / median(times)).toFixed(2),
    ]
    const rows = [row('speeds of all vehicles: bare SQL, whole months', baseline)]
    for (const [name, range] of Object.entries(RANGES))
      for (const [figure, endpoint, query] of FIGURES) {
        rows.push(row(`${figure}, ${name}`, await timesOf(ROUNDS, clock, () => ask(endpoint, { ...range, ...query }))))
      }
    const [sizes] = await db.query<{ vehicles: number; today: number; rows: number }>(sql`
      select (select count(*)::float8 from vehicle) as vehicles,
             (select count(*)::float8 from vehicle where created_at >= ${new Date(fromWarsaw(Date.parse('2026-10-20')))}::timestamptz) as today,
             (select count(*)::float8 from load_day) as rows`)
    return {
      head: ['figures', 'median', `slowest of ${ROUNDS}`, 'processor', 'ratio'],
      rows,
      notes: [
        `${count(sizes?.vehicles ?? 0)} vehicles, ${count(sizes?.today ?? 0)} of them today, which are counted one by one; ${count(sizes?.rows ?? 0)} rows of loads by day`,
        'Processor: time of the server and the database for a response, whatever else the machine does',
        'Two axles of five stand alone, three are a group; all other axles stand alone. Headways are those of random arrivals.',
      ],
    }
  } finally {
    await app.close()
    await drop()
  }
}

/** Times of responses, and the mean processor time of server and database, ms. */
type Times = { times: number[]; processor: number }

/** The first run warms up. */
async function timesOf(rounds: number, clock: () => number, run: () => Promise<unknown>): Promise<Times> {
  await run()
  const times: number[] = []
  const start = clock()
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now()
    await run()
    times.push(performance.now() - begin)
  }
  return { times, processor: (clock() - start) / rounds }
}

const between = ({ from, until }: Range) => sql`
  created_at >= ${from}::timestamp at time zone 'Europe/Warsaw'
    and created_at < (${until}::date + 1)::timestamp at time zone 'Europe/Warsaw'`

type Cell = { id: number; bin: number; n: number }

const speedsOfVehicles = (db: Database, range: Range) =>
  db.query<Cell>(sql`
  select location_id as id, speed::int as bin, count(*)::int as n from vehicle
  where ${between(range)} and speed > 0 group by 1, 2`)

const weightsOfVehicles = (db: Database, range: Range) =>
  db.query<Cell>(sql`
  select location_id as id, least(59, total_load / 1000) as bin, count(*)::int as n from vehicle
  where ${between(range)} and total_load is not null group by 1, 2`)

/** Σ (load / 100 kN)⁴ of the axles of weighed vehicles. */
const wearOfVehicles = (db: Database, range: Range) =>
  db.query<{ id: number; n100: number }>(sql`
  select location_id as id, sum(((axles[6 * i + 2] + axles[6 * i + 3]) * 0.0000980665::float8) ^ 4) as n100
  from vehicle join vehicle_detail d using (location_id, created_at, id)
  cross join lateral generate_series(0, cardinality(axles) / 6 - 1) i
  where ${between(range)} and total_load is not null group by 1`)

type Ask = <E extends Endpoint & { path: string }>(endpoint: E, query: Query) => Promise<WireOf<E, 'response'>>

/** @throws if the figures differ from a recount of the vehicles */
async function assertRecount(db: Database, range: Range, ask: Ask): Promise<void> {
  const assertBins = (
    name: string,
    cells: readonly Cell[],
    counts: Map<number, readonly number[]>,
    offset: (id: number) => number,
  ) => {
    const total = [...counts.values()].flat().reduce((a, b) => a + b, 0)
    const recounted = cells.reduce((sum, { n }) => sum + n, 0)
    const wrong = cells.filter(({ id, bin, n }) => counts.get(id)?.[bin - offset(id)] !== n)
    if (total !== recounted || wrong.length > 0)
      throw new Error(`${name}: ${total} instead of ${recounted}, ${wrong.length} bins differ`)
  }
  const speeds = await ask(speed, range)
  const first = new Map(speeds.map(({ location, first }) => [location.id, first]))
  assertBins(
    'speeds',
    await speedsOfVehicles(db, range),
    new Map(speeds.map(({ location, counts }) => [location.id, counts])),
    (id) => first.get(id) ?? 0,
  )
  const weights = await ask(loads, range)
  assertBins(
    'gross weights',
    await weightsOfVehicles(db, range),
    new Map(weights.map(({ location, gross }) => [location.id, gross.counts])),
    () => 0,
  )
  const wear = await ask(equivalentAxles, range)
  for (const { id, n100 } of await wearOfVehicles(db, range)) {
    const figure = wear.find(({ location }) => location.id === id)?.n100 ?? 0
    if (Math.abs(figure / n100 - 1) > 1e-6) throw new Error(`equivalent axles of ${id}: ${figure} instead of ${n100}`)
  }
}
