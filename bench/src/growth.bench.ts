import { setTimeout as pause } from 'node:timers/promises'
import { readConfig } from '@rogatka/api/config.ts'
import type { Pool } from '@rogatka/api/core/database.ts'
import { openFiles } from '@rogatka/api/core/open-files.ts'
import { listPartitions } from '@rogatka/api/core/partitions.ts'
import { identifier, raw, sql } from '@rogatka/api/core/statement.ts'
import { createStationKey } from '@rogatka/api/locations/queries.ts'
import { dropExpired } from '@rogatka/api/vehicle/maintenance.ts'
import { search } from '@rogatka/contract/archive.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post } from '@rogatka/contract/ingest.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { type Portal, startPortal } from '@rogatka/e2e/portal.ts'
import { archiveDatabase, DAYS, STATIONS, UNTIL, VEHICLES } from './archive-database.ts'
import type { Measurement, Table } from './bench.ts'
import { median } from './compare.ts'
import { withoutTimeLimit } from './database.ts'
import { getRequest, type HttpConnection, openConnection, postRequest } from './http-connection.ts'
import { signIn } from './sign-in.ts'
import { trafficFrom } from './traffic.ts'

const SENDERS = 4
const BATCH = 500
const BATCHES = 5
const SINGLE_POSTS = 100
const ROUNDS = 7
/** Above those of the archive and of earlier runs, which the stations have sent before. */
const FIRST_SEQUENCE = Math.floor(Date.now() / 1_000) * 100

type Archive = Awaited<ReturnType<typeof openArchive>>

export const bench: Measurement = {
  summary: `What grows with the number of vehicles: an archive of ${VEHICLES.toLocaleString('en')} beside one of a tenth, both with a server process. Stations send a backlog of the last day of the archive. At the end the oldest month expires, which deletes it from a database in BENCH_DATA_DIR. Left out: live lists, images, several server processes, more than one operator, TLS and a proxy`,
  goal: 'ingest at least 0.8 of that at a tenth; a month expires without a pause for operators and stations',
  async measure() {
    const archives = [
      await openArchive(VEHICLES / 10, process.env.BENCH_SMALL_DATA_DIR ?? null),
      await openArchive(VEHICLES),
    ]
    const large = archives.at(-1) as Archive
    try {
      return [
        await measureIngest(archives),
        await measureSizes(large.db),
        await measureVacuum(large),
        await measureExpiry(large),
      ]
    } finally {
      for (const { close } of archives) await close()
    }
  },
}

async function openArchive(vehicles: number, folder?: string | null) {
  const { db, url, drop } = await archiveDatabase(vehicles, folder)
  await skipDerivation(db)
  const portal = await startPortal({ DEMO: 'false', REQUESTS_PER_MINUTE: '1000000', DATABASE_URL: url })
  const port = Number(new URL(portal.url).port)
  const senders = await Promise.all(
    Array.from({ length: SENDERS }, async (_, at) => {
      const key = await createStationKey(db, at + 1, new Date())
      let sequence = FIRST_SEQUENCE
      const traffic = trafficFrom(at, (nth) => UNTIL.getTime() - DAY_MS + nth * 20)
      const next = (count: number) => traffic(count).map((vehicle) => ({ ...vehicle, sequence: sequence++ }))
      return { headers: { authorization: `Bearer ${key}` }, next, connection: await openConnection(port) }
    }),
  )
  const close = async () => {
    for (const { connection } of senders) connection.close()
    await portal.stop()
    await drop()
  }
  return { vehicles, db, url, portal, senders, close }
}

/** Counts of what was loaded, which the server would make now: they are made hour by hour while stations send. */
async function skipDerivation(db: Pool): Promise<void> {
  for (const progress of ['offender_progress', 'quarter_progress'])
    await db.execute(sql`
      update ${identifier(progress)} set through = pg_snapshot_xmin(pg_current_snapshot())::text::bigint`)
  for (const marks of ['offender_mark', 'quarter_mark', 'distribution_mark', 'traffic_mark'])
    await db.execute(sql`delete from ${identifier(marks)}`)
}

const nameOf = (vehicles: number) => `${vehicles.toLocaleString('en')} vehicles`

/** Posts of all senders at once, `count` of each one after the other. Returns vehicles per second. */
async function sendAll({ senders }: Archive, count: number, size: number): Promise<number> {
  const requests = senders.map(({ headers, next }) =>
    Array.from({ length: count }, () => postRequest(API_BASE + post.path, next(size), headers)),
  )
  const start = performance.now()
  await Promise.all(
    senders.map(async ({ connection }, at) => {
      for (const request of requests[at] ?? []) {
        const response = await connection.send(request)
        if (!response.includes(`"accepted":${size},`)) throw new Error(response)
      }
    }),
  )
  return (senders.length * count * size) / ((performance.now() - start) / 1_000)
}

async function measureIngest(archives: readonly Archive[]): Promise<Table> {
  const kinds = [
    { name: `batches of ${BATCH}`, count: BATCHES, size: BATCH },
    { name: 'single posts', count: SINGLE_POSTS, size: 1 },
  ]
  const speeds = new Map<string, number[]>()
  for (let round = 0; round <= ROUNDS; round++)
    for (const { name, count, size } of kinds)
      for (const archive of archives) {
        const speed = await sendAll(archive, count, size)
        // The first round warms up.
        if (round > 0) speeds.set(name + archive.vehicles, [...(speeds.get(name + archive.vehicles) ?? []), speed])
      }
  const rows = kinds.flatMap(({ name }) => {
    const medians = archives.map(({ vehicles }) => median(speeds.get(name + vehicles) ?? []))
    return archives.map(({ vehicles }, at) => [
      `${name} into ${nameOf(vehicles)}`,
      (medians[at] ?? Number.NaN).toFixed(0),
      ((medians[at] ?? Number.NaN) / (medians[0] ?? Number.NaN)).toFixed(2),
    ])
  })
  return { head: [`ingest of ${SENDERS} stations at once`, 'vehicles/s', 'ratio'], rows }
}

/** Disk of the tables that grow with traffic, partitions together. */
async function measureSizes(db: Pool): Promise<Table> {
  const tables = await db.query<{ name: string; rows: number; heap: number; indexes: number }>(sql`
    select substring(relname from '^[a-z_]*[a-z]') as name, sum(greatest(reltuples, 0))::float8 as rows,
           sum(pg_table_size(oid))::float8 as heap, sum(pg_indexes_size(oid))::float8 as indexes
    from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace
    group by 1
    order by sum(pg_total_relation_size(oid)) desc limit 8`)
  const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(2)
  return {
    head: ['disk', 'rows', 'table, GB', 'indexes, GB', 'bytes per row', 'bytes per vehicle'],
    rows: tables.map(({ name, rows, heap, indexes }) => [
      `\`${name}\``,
      Math.round(rows).toLocaleString('en'),
      gigabytes(heap),
      gigabytes(indexes),
      ((heap + indexes) / rows).toFixed(0),
      ((heap + indexes) / VEHICLES).toFixed(1),
    ]),
  }
}

/** Vacuum of the partitions of the last full month and of the roll-ups. */
async function measureVacuum({ db, url }: Archive): Promise<Table> {
  const partition = async (table: string) => (await listPartitions(db, table)).at(1)?.name ?? table
  const tables = [await partition('vehicle'), await partition('vehicle_detail'), 'plate', 'traffic_hour']
  const rows = await withoutTimeLimit(url, async (db) => {
    const seconds = async (statement: string) => {
      const start = performance.now()
      await db.execute(raw(statement))
      return ((performance.now() - start) / 1_000).toFixed(1)
    }
    const rows: string[][] = []
    for (const table of tables)
      rows.push([
        `\`${table}\``,
        await seconds(`vacuum (disable_page_skipping, index_cleanup on) ${table}`),
        await seconds(`vacuum ${table}`),
        await seconds(`analyze ${table}`),
      ])
    return rows
  })
  return {
    head: ['vacuum', 'of all pages, s', 'again, s', 'analyze, s'],
    rows,
    notes: [
      'Autovacuum reads only pages that changed since, as the second run; of all pages it reads before transaction ids wrap around.',
    ],
  }
}

type Waits = { page: number[]; post: number[] }

/** An operator who pages through the archive, and a station that sends, until `isOver`. */
async function work(archive: Archive, pages: HttpConnection, token: string, isOver: () => boolean): Promise<Waits> {
  const waits: Waits = { page: [], post: [] }
  const locations = Array.from({ length: STATIONS }, (_, index) => index + 1).join()
  let turn = 0
  const time = async (into: number[], run: () => Promise<string>) => {
    const start = performance.now()
    const response = await run()
    into.push(performance.now() - start)
    if (!response.startsWith('HTTP/1.1 200')) throw new Error(response.slice(0, 500))
    await pause(20)
  }
  const paging = async () => {
    while (!isOver()) {
      const to = new Date(UNTIL.getTime() - ++turn)
      const from = new Date(to.getTime() - 7 * DAY_MS)
      const query = `dateTimeStart=${from.toISOString()}&dateTimeEnd=${to.toISOString()}&locations=${locations}`
      const request = getRequest(`${API_BASE}${search.path}?${query}`, { authorization: `Bearer ${token}` })
      await time(waits.page, () => pages.send(request))
    }
  }
  const posting = async () => {
    const [sender] = archive.senders
    // The server has closed that of the sender, which was idle during vacuum.
    const connection = await openConnection(portOf(archive.portal))
    while (sender && !isOver())
      await time(waits.post, () => connection.send(postRequest(API_BASE + post.path, sender.next(1), sender.headers)))
    connection.close()
  }
  await Promise.all([paging(), posting()])
  return waits
}

const QUIET_MS = 20_000

async function measureExpiry(archive: Archive): Promise<Table> {
  const { db, url, portal } = archive
  const token = await signIn(db)
  const pages = await openConnection(portOf(portal))
  const quietEnd = performance.now() + QUIET_MS
  const before = await work(archive, pages, token, () => performance.now() > quietEnd)
  // The first partition begins within the first month of the archive, and ends with it.
  const [oldest] = await listPartitions(db, 'vehicle')
  const now = new Date((oldest?.to ?? UNTIL).getTime() + DAYS * DAY_MS)
  const [{ gigabytes } = { gigabytes: 0 }] = await db.query<{ gigabytes: number }>(sql`
    select sum(pg_total_relation_size(inhrelid)) / 1e9 as gigabytes from pg_inherits
    where inhrelid in (${oldest?.name ?? ''}::regclass, ${(oldest?.name ?? '').replace('vehicle', 'vehicle_detail')}::regclass)`)
  let took = Number.NaN
  const start = performance.now()
  const expiry = dropExpired(db, openFiles(readConfig({ DATABASE_URL: url, DATA_DIR: portal.dataDir })), now, {
    retentionDays: DAYS,
    imageRetentionDays: DAYS,
  }).then(() => {
    took = performance.now() - start
  })
  const during = await work(archive, pages, token, () => !Number.isNaN(took) && performance.now() > start + QUIET_MS)
  await expiry
  pages.close()
  const row = (name: string, waits: readonly number[]) => {
    const sorted = waits.toSorted((a, b) => a - b)
    const within = (part: number) => `${(sorted[Math.floor(sorted.length * part)] ?? Number.NaN).toFixed(1)} ms`
    return [name, String(sorted.length), within(0.5), within(0.99), `${(sorted.at(-1) ?? Number.NaN).toFixed(1)} ms`]
  }
  return {
    head: ['a month expires', 'count', 'median', '99 %', 'slowest'],
    rows: [
      row('first page of a week, before', before.page),
      row('first page of a week, meanwhile', during.page),
      row('post of a vehicle, before', before.post),
      row('post of a vehicle, meanwhile', during.post),
    ],
    notes: [
      `The partitions of ${oldest?.label} with ${Number(gigabytes).toFixed(1)} GB were detached and dropped in ${(took / 1_000).toFixed(1)} s; measured for ${QUIET_MS / 1_000} s from its start.`,
    ],
  }
}

const portOf = ({ url }: Portal) => Number(new URL(url).port)
