import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { audit } from '@rogatka/contract/activity.ts'
import { exportMonth, historyReport, report } from '@rogatka/contract/archive.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { vehicleId, type WireMeasurement } from '@rogatka/contract/ingest.ts'
import { add as addSystem } from '@rogatka/contract/systems.ts'
import { type Random, seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, onTestFinished, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { fetchReport, queryParquet, unzipFiles } from '../reports/testing.ts'
import { type Client, eventually, type TestApi, testApi } from '../testing/test-api.ts'
import { anyMeasurement, stationWithId } from './testing.ts'

/*
 * With more vehicles, and also read by pandas:
 * PARQUET_VEHICLES=100000 PYARROW=python3 npx vitest run api/src/archive/parquet.test.ts
 */
const VEHICLES = Number(process.env.PARQUET_VEHICLES ?? 1_000)
const { PYARROW } = process.env
const BATCH = 500
const STATIONS = [3, 5]
/** Crosses the end of a month in UTC. */
const [FROM, TO] = [new Date('2026-09-29T10:00:00Z'), new Date('2026-10-03T22:00:00Z')]
const RANGE = { dateTimeStart: FROM.toISOString(), dateTimeEnd: TO.toISOString(), locations: STATIONS.join() }

const AUDITED = { dateTimeStart: '2026-10-03T00:00:00Z', dateTimeEnd: '2026-10-05T00:00:00Z' }

/** Random vehicles, some with missing values, without weights, or with up to 24 axles. */
const anyVehicle = (sequence: number, random: Random): WireMeasurement => ({
  ...anyMeasurement(sequence, FROM, TO, random),
  ...(random.happens(0.2) && {
    axles: Array.from({ length: 1 + random.below(24) }, (_, axle) => ({
      leftWeight: 500 + random.below(5_000),
      rightWeight: random.happens(0.1) ? null : 500 + random.below(5_000),
      gap: axle === 0 ? 0 : 50 + random.below(900),
    })),
  }),
})

async function fetchParquet(user: Client, query: object) {
  const { status, body, errors } = await user.call(report, { query: { reportType: 'parquet', ...query } as never })
  expect(status, JSON.stringify(errors)).toBe(200)
  const { bytes, headers } = await fetchReport(user, body)
  const isZip = headers['content-type'] === 'application/zip'
  return { files: isZip ? unzipFiles(bytes) : { 'one.parquet': bytes }, bytes, headers }
}

/** Counts and sums of each station and month. */
const FIGURES = `
  select location_id, strftime(make_timestamp(epoch_ms(created_at) * 1000), '%Y-%m') as month,
    count(*)::int as vehicles, sum(id)::text as ids, sum(epoch_ms(created_at))::text as times,
    sum(lane)::int as lanes, count(speed)::int as with_speed, sum(speed)::int as speed, sum(length)::int as length,
    sum(height)::int as height, count(ctg8p1)::int as classified, sum(ctg8p1)::int as ctg8p1, sum(ctg323)::int as ctg323,
    count(total_load)::int as weighed, sum(total_load)::int as total_load, sum(limit_total_load)::int as limit_total_load,
    sum(overload_sa)::int as overload_sa, sum(overload_ma)::int as overload_ma, sum(overload_tl)::int as overload_tl,
    sum(violations)::int as violations, string_agg(distinct accuracy_class, ' ' order by accuracy_class) as classes,
    count(axle_load_kg)::int as with_axles, sum(len(axle_load_kg))::int as axles, max(len(axle_load_kg))::int as most_axles,
    sum(list_sum(axle_load_kg))::int as axle_load, sum(len(axle_gap_cm))::int as gaps, sum(list_sum(axle_gap_cm))::int as axle_gap
  from files group by 1, 2 order by 1, 2`

/** The same from the rows that ingest wrote: of an axle 6 integers, of which left, right and gap are the second to the fourth. */
const expectedFigures = ({ db }: TestApi) =>
  db.query(sql`
    select v.location_id, to_char(created_at at time zone 'UTC', 'YYYY-MM') as month,
      count(*)::int as vehicles, sum(id)::text as ids, sum((extract(epoch from created_at) * 1000)::bigint)::text as times,
      sum(lane_number)::int as lanes, count(speed)::int as with_speed, sum(speed)::int as speed, sum(veh_length)::int as length,
      sum(veh_height)::int as height, count(nullif(ctg8p1, 0))::int as classified, sum(ctg8p1)::int as ctg8p1,
      sum(ctg323)::int as ctg323, count(total_load)::int as weighed, sum(total_load)::int as total_load,
      sum(limit_total_load)::int as limit_total_load, sum(overload_sa)::int as overload_sa,
      sum(overload_ma)::int as overload_ma, sum(overload_tl)::int as overload_tl, sum(violations)::int as violations,
      string_agg(distinct accuracy_class, ' ' order by accuracy_class) as classes,
      count(number_of_axles)::int as with_axles, sum(number_of_axles)::int as axles, max(number_of_axles)::int as most_axles,
      sum(axle_load)::int as axle_load, sum(number_of_axles - 1)::int as gaps, sum(axle_gap)::int as axle_gap
    from vehicle v join vehicle_detail using (location_id, created_at, id)
    cross join lateral (
      select sum(case when at % 6 in (2, 3) and value > 0 then value end) as axle_load,
             sum(case when at % 6 = 4 and at > 6 then value end) as axle_gap
      from unnest(axles) with ordinality as flat (value, at)) as sums
    group by 1, 2 order by 1, 2`)

/** The same sums by pandas: as text, station by station. */
async function sumsByPandas(files: Record<string, Buffer>) {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-pandas-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const [at, bytes] of Object.values(files).entries()) await writeFile(join(folder, `${at}.parquet`), bytes)
  const script = `
import glob, json, pandas, pyarrow
v = pandas.concat(pandas.read_parquet(file) for file in sorted(glob.glob('*.parquet')))
print(json.dumps([[int(k), len(g), int(g.total_load.sum()), int(g.axle_load_kg.dropna().map(sum).sum()),
  int(g.axle_gap_cm.dropna().map(sum).sum())] for k, g in v.groupby('location_id')]))
print(v.created_at.dtype, pandas.__version__, pyarrow.__version__)`
  const { stdout } = await promisify(execFile)(PYARROW as string, ['-c', script], { cwd: folder })
  const [sums = '', versions = ''] = stdout.trim().split('\n')
  console.info(`pandas read ${versions}`)
  return JSON.parse(sums) as number[][]
}

test('DuckDB reads counts and sums of each station and month as they are in the database, a key the same as a user', async () => {
  const api = await testApi()
  api.clock.now = new Date('2026-10-04T00:00:00Z')
  const random = seededRandom(20_260_929)
  for (const id of STATIONS) {
    const station = await api.station(stationWithId(id))
    for (let sequence = 1; sequence <= VEHICLES / 2; sequence += BATCH) {
      const size = Math.min(BATCH, VEHICLES / 2 - sequence + 1)
      const { body } = await send(
        station,
        Array.from({ length: size }, (_, at) => anyVehicle(sequence + at, random)),
      )
      expect(body.accepted).toBe(size)
    }
  }
  const expected = await expectedFigures(api)
  expect(expected).toHaveLength(4)

  const user = await api.as('ArchiveMeasurements')
  const { files, headers } = await fetchParquet(user, RANGE)
  expect(headers['content-disposition']).toBe('attachment; filename="archive_vehicles_04_10_2026_02_00_00.zip"')
  expect(Object.keys(files)).toEqual([
    'location=3/month=2026-09.parquet',
    'location=3/month=2026-10.parquet',
    'location=5/month=2026-09.parquet',
    'location=5/month=2026-10.parquet',
  ])
  const found = Object.entries(files).map(([name, bytes]) => queryParquet({ [name]: bytes }, FIGURES))
  expect((await Promise.all(found)).flat()).toEqual(expected)
  if (!PYARROW) console.info('pandas did not run: PYARROW does not name a Python with it')
  else {
    const byStation = await api.db.arrays(sql`
      select v.location_id, count(*)::int, sum(total_load)::int,
        sum((select sum(greatest(axles[6 * n - 4], 0) + greatest(axles[6 * n - 3], 0)) from generate_series(1, number_of_axles) n))::int,
        sum((select sum(axles[6 * n - 2]) from generate_series(2, number_of_axles) n))::int
      from vehicle v join vehicle_detail using (location_id, created_at, id) group by 1 order by 1`)
    expect(await sumsByPandas(files)).toEqual(byStation)
  }

  const admin = await api.as('Exchange', 'ArchiveMeasurements')
  const body = { name: 'Model', locationIds: [5], rights: ['ArchiveMeasurements' as const], plates: false }
  const made = await admin.call(addSystem, { body: { ...body, validUntil: '2026-12-31' } })
  const system = api.client(made.body.key)
  const exported = await system.call(exportMonth, { query: { locationId: 5, month: '2026-10' } })
  expect([exported.status, exported.headers['content-type'], exported.headers['content-disposition']]).toEqual([
    200,
    'application/vnd.apache.parquet',
    'attachment; filename="vehicles_5_2026-10.parquet"',
  ])
  expect(exported.bytes.equals(files['location=5/month=2026-10.parquet'] as Buffer)).toBe(true)
  const elsewhere = await system.call(exportMonth, { query: { locationId: 3, month: '2026-10' } })
  expect([elsewhere.status, elsewhere.errors[0]?.code, elsewhere.errors[0]?.path]).toEqual([
    403,
    'forbidden',
    'locationId',
  ])
  const [entry] = (await (await api.as('UserManagement')).call(audit, { query: AUDITED })).body.content
  expect(entry).toMatchObject({
    action: 'report-ordered',
    subject: 'archive-export',
    after: { system: 'Model', locations: [5], dateTimeStart: '2026-10-01T00:00:00.000Z' },
  })
}, 3_600_000)

test('has the documented columns and values for every user, also in an empty result', async () => {
  const api = await testApi()
  const station = await api.station()
  api.clock.now = new Date('2026-10-04T00:00:00Z')
  const axles = [
    { leftWeight: 3_400, rightWeight: 3_570, gap: 0 },
    { leftWeight: 5_300, rightWeight: 5_480, gap: 374 },
  ]
  await send(station, [
    // 1 October in Poland, September in UTC.
    car(1, { createdAt: '2026-09-30T23:59:59.999Z', ctg8p1: 3, speed: 84, axles }),
    car(2, {
      createdAt: '2026-10-01T00:00:00.000Z',
      axles: null,
      speed: null,
      vehLength: null,
      vehHeight: null,
      ctg8p1: null,
      ctg323: null,
    }),
  ])
  const september = { dateTimeStart: '2026-09-01T00:00:00Z', dateTimeEnd: '2026-10-01T00:00:00Z', locations: '7' }
  const october = { dateTimeStart: '2026-10-01T00:00:00Z', dateTimeEnd: '2026-11-01T00:00:00Z', locations: '7' }
  const user = await api.as('ArchiveMeasurements')
  const { files, bytes, headers } = await fetchParquet(user, september)
  expect(headers['content-disposition']).toBe('attachment; filename="archive_vehicles_04_10_2026_02_00_00.parquet"')
  expect(headers['content-type']).toBe('application/vnd.apache.parquet')
  const described = await queryParquet(files, 'describe files')
  expect(described.map(({ column_name: name, column_type: type }) => `${name} ${type}`)).toEqual([
    'created_at TIMESTAMP WITH TIME ZONE',
    'location_id INTEGER',
    'id BIGINT',
    ...['lane', 'speed', 'length', 'height', 'ctg8p1', 'ctg323', 'total_load', 'limit_total_load'].map(
      (name) => `${name} INTEGER`,
    ),
    ...['overload_sa', 'overload_ma', 'overload_tl', 'violations'].map((name) => `${name} INTEGER`),
    'accuracy_class VARCHAR',
    'axle_load_kg INTEGER[]',
    'axle_gap_cm INTEGER[]',
  ])
  const values = 'select epoch_ms(created_at)::double as ms, * exclude (created_at, id), id::double as id from files'
  const [detail] = await api.db.query(sql`
    select limit_total_load, overload_sa, overload_ma, overload_tl, accuracy_class
    from vehicle join vehicle_detail using (location_id, created_at, id) where id = ${vehicleId(7, 1)}`)
  const lorry = {
    ...detail,
    ms: Date.parse('2026-09-30T23:59:59.999Z'),
    location_id: 7,
    id: vehicleId(7, 1),
    lane: 1,
    speed: 84,
    length: 450,
    height: 150,
    ctg8p1: 3,
    ctg323: 1,
    total_load: 17_750,
    // Overspeed: 84 of 80 km/h.
    violations: 4,
    axle_load_kg: [6_970, 10_780],
    axle_gap_cm: [374],
  }
  expect(await queryParquet(files, values)).toEqual([lorry])
  const unweighed = await queryParquet((await fetchParquet(user, october)).files, values)
  const missing = ['speed', 'length', 'height', 'ctg8p1', 'ctg323', 'total_load', 'axle_load_kg', 'axle_gap_cm']
  expect(unweighed).toMatchObject([{ id: vehicleId(7, 2), ...Object.fromEntries(missing.map((name) => [name, null])) }])

  const masked = await api.as('ArchiveMeasurements', 'Anonymization')
  expect((await fetchParquet(masked, september)).bytes).toEqual(bytes)
  const byPlate = { ...september, plateLpr: 'WX10001', reportType: 'parquet' as const }
  expect((await masked.call(report, { query: byPlate })).errors[0]?.code).toBe('plates-are-anonymised')

  // At another station, too, so that it is a ZIP.
  const none = { ...september, minSpeed: 250 }
  for (const query of [none, { ...none, locations: '7,8' }]) {
    const empty = await fetchParquet(user, query)
    expect(Object.keys(empty.files)).toHaveLength(1)
    expect(await queryParquet(empty.files, 'describe files')).toEqual(described)
    expect(await queryParquet(empty.files, 'select count(*)::int as vehicles from files')).toEqual([{ vehicles: 0 }])
  }
  const whole = { ...september, dateTimeEnd: october.dateTimeEnd }
  expect(Object.keys((await fetchParquet(user, whole)).files)).toEqual([
    'location=7/month=2026-09.parquet',
    'location=7/month=2026-10.parquet',
  ])
  const fast = { ...whole, minSpeed: 80 }
  expect(Object.keys((await fetchParquet(user, fast)).files)).toEqual(['location=7/month=2026-09.parquet'])

  const refusal = async (call: Promise<{ status: number; errors: { path: string | null; code: string }[] }>) => {
    const { status, errors } = await call
    return `${status} ${errors[0]?.path} ${errors[0]?.code}`
  }
  const one = { id: vehicleId(7, 1), locationId: 7 }
  expect(await refusal(user.call(report, { query: { id: one.id, reportType: 'parquet' } }))).toBe(
    '400 reportType invalid-value',
  )
  const history = { params: { id: one.id }, query: { locationId: 7, reportType: 'parquet' as const } }
  expect(await refusal(user.call(historyReport, history))).toBe('400 reportType unknown-option')
  for (const month of ['2026-13', '2026-1', '10/2026', '1999-10'])
    expect(await refusal(user.call(exportMonth, { query: { locationId: 7, month } }))).toMatch(/^400 month/)
  expect(await refusal(user.call(exportMonth, { query: { locationId: 8, month: '2026-10' } }))).toBe(
    '404 locationId location-not-found',
  )
  const later = await user.call(exportMonth, { query: { locationId: 7, month: '2031-10' } })
  expect(await queryParquet({ 'later.parquet': later.bytes }, 'select count(*)::int as n from files')).toEqual([
    { n: 0 },
  ])
})

test('ends its transaction when the client disconnects', async () => {
  const api = await testApi()
  const station = await api.station()
  await send(station, [car(1), car(2, { createdAt: '2026-09-30T08:00:00.000Z' })])
  const user = await api.as('ArchiveMeasurements')
  const address = await api.app.api.http.listen({ host: '127.0.0.1', port: 0 })
  const october = { dateTimeStart: '2026-10-01T00:00:00Z', dateTimeEnd: '2026-11-01T00:00:00Z', locations: '7' }
  const link = async (query: object) =>
    (await user.call(report, { query: { reportType: 'parquet', ...query } as never })).body.link
  const one = await link(october)
  const zip = await link({ ...october, dateTimeStart: '2026-09-01T00:00:00Z' })
  /** Also those that execute a statement: they would wait for the next lock, too. */
  const transactions = () =>
    api.db.query(
      sql`select from pg_stat_activity where datname = ${api.name} and xact_start is not null and pid <> pg_backend_pid()`,
    )
  const waiting = () =>
    api.db.query(sql`select from pg_stat_activity where datname = ${api.name} and wait_event_type = 'Lock'`)
  for (const path of [one, zip, '/arch-vehicles/export?locationId=7&month=2026-10']) {
    const holder = await api.db.reserve()
    await holder.query(sql`begin`)
    await holder.execute(sql`lock table vehicle_detail in access exclusive mode`)
    const gone = new AbortController()
    const answer = fetch(`${address}${API_BASE}${path}`, {
      signal: gone.signal,
      headers: { authorization: `Bearer ${user.token}` },
    }).then((answer) => answer.bytes())
    const ended = expect(answer, path).rejects.toThrow()
    await eventually(async () => expect(await waiting(), path).toHaveLength(1))
    gone.abort()
    await ended
    await holder.query(sql`rollback`)
    holder.release()
    await eventually(async () => expect(await transactions(), path).toHaveLength(0))
  }
})
