import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import type { Pool } from '@rogatka/api/core/database.ts'
import { daysBetween } from '@rogatka/api/core/partitions.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { createStationKey } from '@rogatka/api/locations/queries.ts'
import { deriveDistributionDays, deriveTraffic } from '@rogatka/api/statistics/derive.ts'
import { ensureVehiclePartitions } from '@rogatka/api/vehicle/maintenance.ts'
import { check } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { stat } from '@rogatka/contract/statistics.ts'
import { loadArchive, stationIds } from './archive-data.ts'
import { STATIONS } from './archive-database.ts'
import { isQuick, type Table } from './bench.ts'
import { benchDatabase, withoutTimeLimit } from './database.ts'
import { readAll } from './read-all.ts'
import { signIn } from './sign-in.ts'
import { startSinglePosts } from './single-posts.ts'

/** As on a motorway. */
const VEHICLES_PER_DAY = isQuick ? 500 : 10_000
const DAYS = 2
/** A midnight in Poland. */
const UNTIL = new Date('2026-10-20T22:00:00Z')
const SENDERS = 4
const POSTS_PER_SECOND = 20
const POLL_EVERY_MS = 50
const STATISTICS_EVERY_MS = 1_000
const IDLE_MS = isQuick ? 5_000 : 20_000

type Times = Record<'post of a vehicle' | 'check of the live list' | 'statistics of a day', number[]>

/** Derives a day of all stations, and the days of the next one, in the process that serves stations and operators meanwhile. */
export async function measureDerivation(): Promise<Table> {
  const { db, url, drop } = await benchDatabase()
  try {
    await loadArchive(db, url, {
      vehicles: STATIONS * DAYS * VEHICLES_PER_DAY,
      days: DAYS,
      stations: STATIONS,
      until: UNTIL,
    })
    await ensureVehiclePartitions(db, daysBetween(new Date(), new Date()), 'month')
    // The first day beforehand, so that the second one follows derived days, as every night.
    await markDay(db, '2026-10-19')
    await derive(db)
    await withoutTimeLimit(url, (db) => db.execute(sql`vacuum analyze`))
    return await measure(db, url)
  } finally {
    await drop()
  }
}

const markDay = (db: Pool, day: string) =>
  db.execute(sql`
  insert into traffic_mark (location_id, day) select id, ${day}::date from location`)

async function derive(db: Pool): Promise<void> {
  await deriveTraffic(db, UNTIL)
  while ((await deriveDistributionDays(db)) > 0);
}

async function measure(db: Pool, url: string): Promise<Table> {
  const app = await createApp({ ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }, db)
  await app.listen()
  const address = await app.api.http.listen({ host: '127.0.0.1', port: 0 })
  const headers = { authorization: `Bearer ${await signIn(db)}` }
  const senders = await Promise.all(
    stationIds(SENDERS).map(async (id) => ({ id, key: await createStationKey(db, id, new Date()) })),
  )
  const posts = await startSinglePosts(Number(new URL(address).port), senders, POSTS_PER_SECOND, [])
  const statistics = new URLSearchParams({
    dateTimeStart: '2026-10-18T22:00:00Z',
    dateTimeEnd: '2026-10-19T22:00:00Z',
    statResolutionUnit: 'hour',
    statResolutionValue: '1',
    statName: 'traffic',
    groupBy: 'category',
    addGraph: 'false',
    locations: stationIds(STATIONS).join(),
  })
  const paths = {
    'check of the live list': [check.path, POLL_EVERY_MS],
    'statistics of a day': [`${stat.path}?${statistics}`, STATISTICS_EVERY_MS],
  } as const
  /** Response times while `work` runs. */
  const timesDuring = async (work: () => Promise<unknown>): Promise<Times> => {
    const times: Times = { 'post of a vehicle': [], 'check of the live list': [], 'statistics of a day': [] }
    const running: Promise<unknown>[] = []
    const timers = (['check of the live list', 'statistics of a day'] as const).map((name) => {
      const [path, every] = paths[name]
      return setInterval(() => {
        const begin = performance.now()
        running.push(
          readAll(`${address}${API_BASE}${path}`, headers).then(() => times[name].push(performance.now() - begin)),
        )
      }, every)
    })
    posts.takePostTimes()
    await work()
    for (const timer of timers) clearInterval(timer)
    times['post of a vehicle'] = posts.takePostTimes()
    await Promise.all(running)
    return times
  }
  try {
    await timesDuring(() => new Promise((resolve) => setTimeout(resolve, IDLE_MS / 4)))
    const idle = await timesDuring(() => new Promise((resolve) => setTimeout(resolve, IDLE_MS)))
    await markDay(db, '2026-10-20')
    let seconds = 0
    const busy = await timesDuring(async () => {
      const begin = performance.now()
      await derive(db)
      seconds = (performance.now() - begin) / 1_000
    })
    const [sums] = await db.query<{ vehicles: number; days: number }>(sql`
      select sum(vehicles)::float8 as vehicles, count(*)::int as days from profile_day where day = '2026-10-20'`)
    return {
      head: ['while a day is derived', 'idle: median', '99 %', 'deriving: median', '99 %', 'ratio of medians'],
      rows: (Object.keys(idle) as (keyof Times)[]).map((name) => {
        const [before, during] = [partsOf(idle[name]), partsOf(busy[name])]
        return [name, ...before.map(toMs), ...during.map(toMs), ((during[0] ?? 0) / (before[0] ?? 1)).toFixed(2)]
      }),
      notes: [
        `${(sums?.vehicles ?? 0).toLocaleString('en')} vehicles of ${sums?.days} stations derived in ${seconds.toFixed(1)} s, roll-ups and distributions, ` +
          'and the headways and months that change with them',
        `${POSTS_PER_SECOND} vehicles per second are posted one by one; the live list is checked every ${POLL_EVERY_MS} ms; the job runs in the process that serves them`,
      ],
    }
  } finally {
    await posts.stop()
    await app.close()
  }
}

/** The median, and within which 99 % are. */
function partsOf(times: readonly number[]): number[] {
  const sorted = times.toSorted((a, b) => a - b)
  return [0.5, 0.99].map((part) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN)
}

const toMs = (ms: number) => `${ms.toFixed(1)} ms`
