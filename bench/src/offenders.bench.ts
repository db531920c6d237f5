import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import { connect, type Pool } from '@rogatka/api/core/database.ts'
import { daysBetween } from '@rogatka/api/core/partitions.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { addLocation } from '@rogatka/api/locations/queries.ts'
import { insertSums, setCarriers, setRepeatSince } from '@rogatka/api/offenders/count-queries.ts'
import { deriveOffenders } from '@rogatka/api/offenders/derive.ts'
import { type PlantedPassage, plantOffenders } from '@rogatka/api/offenders/testing.ts'
import { ensureVehiclePartitions } from '@rogatka/api/vehicle/maintenance.ts'
import { API_BASE, type WireOf } from '@rogatka/contract/endpoint.ts'
import { vehicleId } from '@rogatka/contract/ingest.ts'
import { list, read, readCarrier } from '@rogatka/contract/offenders.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { isQuick, type Measurement, type Table } from './bench.ts'
import { median } from './compare.ts'
import { copyIn, copyWriter } from './copy.ts'
import { benchDatabase, LOADING_TIMEOUT_MS } from './database.ts'
import { loadInspections } from './inspections-data.ts'
import { createProcessorClock } from './processor-time.ts'
import { benchRandom } from './random.ts'
import { signIn } from './sign-in.ts'

const START = new Date('2026-06-01T00:00:00Z')
const DAYS = 120
const STATIONS = 8
const REPEATERS = 100
/** Of each car two passages on average, of each lorry ten. */
const [LORRIES, CARS] = isQuick ? [1_500, 15_000] : [20_000, 395_000]
/** Passages of a year, of which those of lorries that were overloaded at least once are in the tables of the list. */
const PASSAGES = isQuick ? 1_000_000 : 10_000_000
const INSPECTIONS = isQuick ? 100_000 : 1_000_000
const YEAR_STATIONS = 60
const ROUNDS = 15

type Query = WireOf<typeof list, 'query'>

export const bench: Measurement = {
  summary: `Repeat offenders. First: ${REPEATERS} planted repeaters, one of whose three overloads is misread, with sister lorries of neighbouring numbers and two overloads, among ${isQuick ? '45 thousand' : '1 million'} passages of which 2 % are misread; derived by the job. Then: lists and details over HTTP at ${PASSAGES.toLocaleString('en')} passages of a year and ${INSPECTIONS.toLocaleString('en')} inspections. Left out: sockets, TLS, a proxy, several users at the same time, and vehicles that arrive meanwhile`,
  goal: 'misread plates of the repeaters found (recall) at least 0.95, joins right (precision) at least 0.99; a list in under 50 ms',
  measure: async () => [await measureJoins(), await measureList()],
}

async function measureJoins(): Promise<Table> {
  const passages = plantOffenders({
    seed: 14,
    repeaters: REPEATERS,
    lorries: LORRIES,
    cars: CARS,
    stations: STATIONS,
    start: START,
    days: DAYS,
  })
  const { db, url, drop } = await benchDatabase()
  try {
    await load(db, url, passages)
    const begin = performance.now()
    const now = new Date(START.getTime() + (DAYS + 1) * DAY_MS)
    await deriveOffenders(db, now)
    const seconds = (performance.now() - begin) / 1_000
    const [joins] = await db.query<{ misread: number; found: number; joined: number; right: number; all: number }>(sql`
      with read as (
        select t.plate, t.planted, t.plate <> t.read as is_misread, t.plate = o.form as is_right, s.id <> o.id as is_joined
        from truth t
        join spelling_plate p on p.plate = t.read and p.nationality = t.nationality
        join spelling s on s.id = p.spelling_id
        join spelling o on o.id = s.vehicle_id
      )
      select (count(*) filter (where planted and is_misread))::int as misread,
             (count(*) filter (where planted and is_misread and is_right))::int as found,
             (count(*) filter (where is_joined))::int as joined,
             (count(*) filter (where is_joined and is_right))::int as right, count(*)::int as all
      from read`)
    const listed = await db.query<{ plate: string; isRight: boolean; lacking: number }>(sql`
      select s.form as plate, o.passages = t.passages and o.overloads = t.overloads as "isRight",
             (t.passages - o.passages)::int as lacking
      from offender o
      join spelling s on s.id = o.vehicle_id
      left join (select plate, count(*) as passages, count(*) filter (where overloaded) as overloads from truth group by 1) t
        on t.plate = s.form
      where o.overloads >= 3`)
    const planted = new Set(passages.flatMap(({ plate, isPlanted }) => (isPlanted ? [plate] : [])))
    const found = listed.filter(({ plate }) => planted.has(plate))
    const {
      misread,
      found: rightly,
      joined,
      right,
      all,
    } = joins ?? { misread: 0, found: 0, joined: 0, right: 0, all: 0 }
    const row = (name: string, part: number, whole: number) => [
      name,
      part.toLocaleString('en'),
      whole.toLocaleString('en'),
      (part / whole).toFixed(4),
    ]
    return {
      head: ['', 'right', 'of', 'share'],
      rows: [
        row('misread passages of the repeaters that were joined to them (recall)', rightly, misread),
        row('joined passages, of all lorries, that are of this lorry (precision)', right, joined),
        row('repeaters that are listed', found.length, planted.size),
        row('listed vehicles that are repeaters', found.length, listed.length),
        row(
          'listed repeaters with exactly their passages and overloads',
          found.filter((one) => one.isRight).length,
          found.length,
        ),
      ],
      notes: [
        `${all.toLocaleString('en')} passages derived in ${seconds.toFixed(0)} s`,
        `Of the repeaters that are not exact, ${found.filter(({ lacking }) => lacking > 0).length} lack misread passages that no rule ` +
          `joins, ${found.reduce((sum, { lacking }) => sum + Math.max(0, lacking), 0)} in all; ` +
          `${found.filter(({ lacking }) => lacking < 0).length} have passages of others`,
      ],
    }
  } finally {
    await drop()
  }
}

const station = (id: number) => ({
  id,
  shortName: `Stacja ${id}`,
  name: `Stacja ${id}`,
  roadNumber: 'S8',
  chainage: `${id * 40}+000`,
  direction: 'Warszawa',
  speedLimit: 120,
  speedLimitHeavy: 80,
  distanceToSign: 1_000,
  distanceToCheckpoint: 5_000,
  lanes: [{ laneNumber: 1, accuracyClass: 'B+(7)' }],
})

/** Copies the passages as vehicles, and with their true plates into the table `truth`. */
async function load(db: Pool, url: string, passages: readonly PlantedPassage[]): Promise<void> {
  const end = new Date(START.getTime() + DAYS * DAY_MS)
  await ensureVehiclePartitions(db, daysBetween(START, end), 'month')
  for (let id = 1; id <= STATIONS; id++) await addLocation(db, station(id))
  await db.execute(sql`
    create table truth (plate text collate "C", read text, nationality text, planted boolean, overloaded boolean)`)
  const vehicles = await copyWriter(
    url,
    `vehicle (location_id, id, created_at, received_at, checkpoint_time, lane_number, speed, speed_limit, total_load,
      limit_total_load, overload_sa, overload_ma, overload_tl, veh_length, veh_height, limit_height, number_of_axles,
      ctg8p1, ctg323, violations, plate_lpr, nationality)`,
  )
  const details = await copyWriter(
    url,
    'vehicle_detail (location_id, id, created_at, accuracy_class, axles, axle_groups)',
  )
  const truth = await copyWriter(url, 'truth')
  for (const [index, one] of passages.entries()) {
    const at = one.at.toISOString()
    const key = `${one.station + 1}\t${vehicleId(one.station + 1, index + 1)}\t${at}`
    const isLorry = one.axles > 2
    const excess = one.overloaded ? 120 : 0
    vehicles.add(
      `${key}\t${at}\t${at}\t1\t80\t80\t${one.overloaded ? 44_800 : 30_000}\t40000\t0\t0\t${excess}\t${isLorry ? 1_650 : 450}\t` +
        `390\t400\t${one.axles}\t${isLorry ? 9 : 7}\t\\N\t${one.overloaded ? 1 : 0}\t${one.read}\t${one.readCountry ?? '\\N'}\n`,
    )
    if (isLorry) {
      const axles = Array.from({ length: one.axles }, (_, axle) => {
        const gap = [0, one.firstAxleGap][axle] ?? 131
        return `1,3000,3000,${gap},10000,0`
      })
      details.add(`${key}\tB+(7)\t{${axles.join(',')}}\t{}\n`)
    }
    truth.add(`${one.plate}\t${one.read}\t${one.readCountry ?? ''}\t${one.isPlanted}\t${one.overloaded}\n`)
    if (index % 10_000 === 0) await Promise.all([vehicles.flush(), details.flush(), truth.flush()])
  }
  await Promise.all([vehicles.end(), details.end(), truth.end()])
  await db.execute(sql`
    insert into arrival (location_id, hour, written_by)
    select distinct location_id, date_trunc('hour', created_at, 'UTC'), pg_current_xact_id()::text::bigint from vehicle`)
  await db.execute(sql`vacuum analyze vehicle, vehicle_detail, truth`)
}

async function measureList(): Promise<Table> {
  const { db, url, drop } = await benchDatabase()
  const config = { ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }
  const app = await createApp(config, db)
  try {
    const counts = await loadYear(db, url)
    const token = await signIn(db)
    const get = async (path: string, query: Record<string, string>) => {
      const headers = { authorization: `Bearer ${token}` }
      const { statusCode, body } = await app.api.http.inject({ method: 'GET', url: API_BASE + path, headers, query })
      if (statusCode !== 200) throw new Error(body)
    }
    const ask = (query: Partial<Record<keyof Query, string>>) => get(list.path, { limit: '12', ...query })
    const [vehicle] = await db.query<{ id: number }>(sql`
      select vehicle_id as id from offender where carrier_key is not null order by overloads desc, vehicle_id limit 1`)
    const [carrier] = await db.query<{ key: string }>(sql`
      select carrier_key as key from offender where carrier_key is not null
      group by 1 order by sum(overloads) desc, 1 limit 1`)
    // A year but some days at either end, so that no total is the answer.
    const year = { from: '2025-10-25', until: '2026-10-10' }
    const stations = (count: number) => Array.from({ length: count }, (_, index) => index * 2 + 1).join(',')
    const queries: [string, Partial<Record<keyof Query, string>>][] = [
      ['everything, by overloads', {}],
      ['everything, by share', { orderBy: 'share' }],
      ['a year, by overloads', year],
      ['a year, by share', { ...year, orderBy: 'share' }],
      ['a year, by last passage', { ...year, orderBy: 'lastSeen' }],
      ['a year, by largest excess', { ...year, orderBy: 'worst' }],
      ['a year, by share, page 100', { ...year, orderBy: 'share', page: '100' }],
      ['a month, by share', { from: '2026-09-01', until: '2026-09-30', orderBy: 'share' }],
      ['a year, 5 stations, by share', { ...year, orderBy: 'share', locations: stations(5) }],
      ['a year, 30 stations, by share', { ...year, orderBy: 'share', locations: stations(30) }],
      ['a year, from 1 overload, by share', { ...year, orderBy: 'share', minOverloads: '1' }],
      ['a year, from 1 overload, by largest excess', { ...year, orderBy: 'worst', minOverloads: '1' }],
      ['a year, 30 stations, from 1 overload, by overloads', { ...year, locations: stations(30), minOverloads: '1' }],
      [
        'a year, 30 stations, from 1 overload, by share',
        { ...year, orderBy: 'share', locations: stations(30), minOverloads: '1' },
      ],
      ['a year, repeat offenders only, by share', { ...year, orderBy: 'share', repeatOnly: 'true' }],
      [
        'a year, repeat offenders only, carriers, by share',
        { ...year, orderBy: 'share', repeatOnly: 'true', groupBy: 'carrier' },
      ],
      ['everything, carriers, by overloads', { groupBy: 'carrier' }],
      ['a year, carriers, by share', { ...year, orderBy: 'share', groupBy: 'carrier' }],
      [
        'a year, 30 stations, carriers, by share',
        { ...year, orderBy: 'share', groupBy: 'carrier', locations: stations(30) },
      ],
    ]
    const clock = await createProcessorClock(db)
    const runs: [string, () => Promise<unknown>][] = [
      ['a year, by share: bare SQL over the days', () => sumDays(db, year)],
      ...queries.map(([name, query]): [string, () => Promise<unknown>] => [name, () => ask(query)]),
      ['the vehicle with most overloads', () => get(read.path.replace(':id', String(vehicle?.id)), {})],
      ['the carrier with most overloads', () => get(readCarrier.path, { key: carrier?.key ?? '' })],
    ]
    const rows: string[][] = []
    for (const [name, run] of runs) {
      // Warms up.
      await run()
      const times: number[] = []
      const start = clock()
      const { user, system } = process.cpuUsage()
      for (let round = 0; round < ROUNDS; round++) {
        const begin = performance.now()
        await run()
        times.push(performance.now() - begin)
      }
      const own = process.cpuUsage({ user, system })
      const server = (own.user + own.system) / 1_000 / ROUNDS
      const database = (clock() - start) / ROUNDS - server
      rows.push([name, ...[median(times), Math.max(...times), database, server].map((time) => `${time.toFixed(1)} ms`)])
    }
    return {
      head: ['list', 'median', `slowest of ${ROUNDS}`, 'processor of the database', 'of the server'],
      rows,
      notes: [...counts, 'Processor times are means of a response, whatever else the machine does.'],
    }
  } finally {
    await app.close()
    await drop()
  }
}

/** The same list without running sums. */
const sumDays = (db: Pool, { from, until }: { from: string; until: string }) =>
  db.query(sql`
  with figures as materialized (
    select d.vehicle_id, sum(d.passages) as passages, sum(d.overloads) as overloads, max(d.worst) as worst,
           max(d.last_seen) as last_seen
    from offender o
    join offender_day d on d.vehicle_id = o.vehicle_id
    where o.overloads >= 3 and d.day >= ${from}::date and d.day <= ${until}::date
    group by 1
    having sum(d.overloads) >= 3
  )
  select *, (select count(*) from figures) from figures order by overloads::float8 / passages desc, vehicle_id limit 12`)

/**
 * Fills the tables of repeat offenders as of a year of traffic: a quarter of the passages are those of lorries, which pass
 * six times on average and up to some hundred times; 5 % of their passages are overloaded. Only lorries with an overload
 * are in the tables. The running sums are those of the job's statement.
 */
async function loadYear(db: Pool, url: string): Promise<string[]> {
  const random = benchRandom(14)
  const first = Date.parse('2025-10-21')
  const spellings: string[] = []
  const days: string[] = []
  const ids: number[] = []
  let [lorries, passagesOfLorries] = [0, 0]
  for (let id = 1; passagesOfLorries < PASSAGES / 4; id++) {
    const count = Math.min(260, Math.max(1, Math.round(Math.exp(0.9 + random.normal(0, 1_350) / 1_000))))
    passagesOfLorries += count
    const kind = random.next()
    const share = kind < 0.7 ? 0.01 : kind < 0.94 ? 0.06 : 0.35
    const base = random.below(YEAR_STATIONS)
    const sums = new Map<string, { passages: number; overloads: number; worst: number }>()
    let overloads = 0
    for (let nth = 0; nth < count; nth++) {
      const day = new Date(first + random.below(365) * DAY_MS).toISOString().slice(0, 10)
      const key = `${day}\t${1 + ((base + Math.floor(random.next() ** 2 * 6)) % YEAR_STATIONS)}`
      const sum = sums.get(key) ?? { passages: 0, overloads: 0, worst: 0 }
      sum.passages++
      if (random.happens(share)) {
        overloads++
        sum.overloads++
        sum.worst = Math.max(sum.worst, 1 + random.below(300))
      }
      sums.set(key, sum)
    }
    if (overloads === 0) continue
    lorries++
    ids.push(id)
    spellings.push(`${id}\tWX${id}\tPL\tWX${id}\tfalse\ttrue\t2026-10-01\t${id}\n`)
    for (const [key, { passages, overloads, worst }] of sums)
      days.push(`${id}\t${key}\t${passages}\t${overloads}\t${worst}\t${key.slice(0, 10)} 08:00+00\n`)
  }
  await copyIn(url, [
    {
      into: 'spelling (id, form, country, fold, may_be_misread, is_overloaded, last_seen, vehicle_id)',
      rows: spellings.join(''),
    },
    {
      into: 'spelling_plate (plate, nationality, spelling_id)',
      rows: ids.map((id) => `WX${id}\tPL\t${id}\n`).join(''),
    },
    {
      into: 'offender_day (vehicle_id, day, location_id, passages, overloads, worst, last_seen)',
      rows: days.join(''),
    },
  ])
  await db.transaction(async (db) => {
    await db.liftTimeLimit()
    await insertSums(db, sql`true`)
  })
  // A million rows take longer than a request may.
  const loading = connect(url, 2, LOADING_TIMEOUT_MS)
  await loadInspections(loading, {
    inspections: INSPECTIONS,
    days: 365,
    stations: YEAR_STATIONS,
    until: new Date('2026-10-20'),
    lorries: ids,
  })
  await loading.end()
  await db.transaction(async (db) => {
    await db.liftTimeLimit()
    await setRepeatSince(db, sql`true`)
    await setCarriers(db, sql`true`)
  })
  await db.execute(sql`vacuum analyze`)
  const [sums] = await db.query<{
    repeaters: number
    overloads: number
    since: number
    carried: number
    carriers: number
  }>(sql`
    select (count(*) filter (where overloads >= 3))::int as repeaters, sum(overloads)::int as overloads,
           count(repeat_since)::int as since, count(carrier_key)::int as carried, count(distinct carrier_key)::int as carriers
    from offender`)
  const number = (value = 0) => value.toLocaleString('en')
  return [
    `${number(passagesOfLorries)} passages of lorries, ${number(sums?.overloads)} of them overloaded, of ${number(lorries)} lorries; ` +
      `${number(sums?.repeaters)} have 3 overloads or more, ${number(sums?.since)} of them on 3 days within 12 months`,
    `${number(INSPECTIONS)} inspections of these lorries; ${number(sums?.carried)} of them have a carrier, of ${number(sums?.carriers)}`,
    'The tables of the list are filled directly, not by the job; there are no vehicles, so details have no last passages.',
  ]
}
