import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import { connect } from '@rogatka/api/core/database.ts'
import { attachEmbedded } from '@rogatka/api/core/embedded.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { addLocation, createStationKey } from '@rogatka/api/locations/queries.ts'
import { report } from '@rogatka/contract/archive.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { post } from '@rogatka/contract/ingest.ts'
import { type ReportType, reportLimits } from '@rogatka/contract/reports.ts'
import { DAY_MS, HOUR_MS } from '@rogatka/domain/core/time.ts'
import { startPortal } from '@rogatka/e2e/portal.ts'
import { loadArchive, stationIds } from './archive-data.ts'
import { isQuick, type Measurement, type Table } from './bench.ts'
import { benchDatabase } from './database.ts'
import { readAll } from './read-all.ts'
import { signIn } from './sign-in.ts'
import { benchStation, trafficFrom } from './traffic.ts'

const IDLE_MS = isQuick ? 15_000 : 60_000
const STATIONS = 40
const UNTIL = new Date('2026-10-20T08:00:00Z')
const TYPES = ['csv', 'xlsx', 'pdf'] as const
const ROWS = (type: ReportType) => (isQuick ? 20_000 : reportLimits[type])
/** Simulated time between two batches of a station, one vehicle per second. */
const STEP_MS = 60_000
const LONG_MS = isQuick ? 6 * HOUR_MS : DAY_MS
/** Longer than the interval at which the live window removes expired vehicles. */
const EXPIRY_MS = 6_000

export const bench: Measurement = {
  summary:
    'Memory of a server process: idle, and the peak while it sends the largest reports one after another; and its heap after a simulated day of 3,600 vehicles per hour that no client polls, against that after an hour',
  goal: 'at most 200 MB idle and 350 MB under reports, and no more after a day than after an hour',
  measure: async () => [await measureServer(), await measureDay()],
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const MB = 2 ** 20
const inMb = (bytes: number) => (bytes / MB).toFixed(0)

type Figures = { resident: number; heapUsed: number; heapReserved: number; external: number }

async function figuresOf(url: string): Promise<Figures> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1] ?? Number.NaN)
  return {
    resident: figure('process_resident_memory_bytes'),
    heapUsed: figure('nodejs_heap_size_used_bytes'),
    heapReserved: figure('nodejs_heap_size_total_bytes'),
    external: figure('nodejs_external_memory_bytes'),
  }
}

const rowOf = (name: string, { resident, heapUsed, heapReserved, external }: Figures) => [
  name,
  ...[resident, heapUsed, heapReserved, external].map(inMb),
]

async function measureServer(): Promise<Table> {
  const portal = await startPortal({ DEMO: 'false' })
  try {
    await pause(IDLE_MS)
    const rows = [rowOf('idle', await figuresOf(portal.url))]
    const { url } = await attachEmbedded(join(portal.dataDir, 'postgres'))
    const db = connect(url, 4)
    const most = Math.max(...TYPES.map(ROWS))
    await loadArchive(db, url, { vehicles: Math.ceil(most * 1.1), days: 2, stations: STATIONS, until: UNTIL })
    const headers = { authorization: `Bearer ${await signIn(db)}` }
    for (const type of TYPES) {
      const [first] = await db.query<{ at: Date }>(sql`
        select created_at as at from vehicle where created_at < ${UNTIL}::timestamptz
        order by created_at desc, id desc offset ${ROWS(type) - 1} limit 1`)
      const query = new URLSearchParams({
        dateTimeStart: (first?.at ?? UNTIL).toISOString(),
        dateTimeEnd: UNTIL.toISOString(),
        locations: stationIds(STATIONS).join(),
        reportType: type,
      })
      const ordered = await fetch(`${portal.url}${API_BASE}${report.path}?${query}`, { headers })
      const { link } = (await ordered.json()) as { link: string }
      const peak = await peakDuring(portal.url, () => readAll(`${portal.url}${API_BASE}${link}`, headers))
      rows.push(rowOf(`${type}, ${ROWS(type).toLocaleString('en')} rows`, peak))
    }
    await db.end()
    await pause(IDLE_MS)
    rows.push(rowOf('idle again', await figuresOf(portal.url)))
    return { head: ['MB', 'resident', 'heap used', 'heap reserved', 'outside the heap'], rows }
  } finally {
    await portal.stop()
  }
}

/** The maximum of each figure while `work` runs. */
async function peakDuring(url: string, work: () => Promise<void>): Promise<Figures> {
  const peak: Figures = { resident: 0, heapUsed: 0, heapReserved: 0, external: 0 }
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    const figures = await figuresOf(url)
    for (const key of Object.keys(peak) as (keyof Figures)[]) peak[key] = Math.max(peak[key], figures[key])
    await pause(50)
  }
  await done
  return peak
}

/** In this process, whose clock is simulated. */
async function measureDay(): Promise<Table> {
  const { db, url, drop } = await benchDatabase()
  const clock = { now: new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS) }
  const config = { ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }
  const app = await createApp(config, db, { now: () => clock.now })
  try {
    await addLocation(db, benchStation(1, 'S8 1'))
    const authorization = `Bearer ${await createStationKey(db, 1, new Date(0))}`
    await app.listen()
    // Not injected: an injected request is never closed, so that its timeout keeps it.
    const address = await app.api.http.listen({ host: '127.0.0.1', port: 0 })
    const sequence = { last: 0 }
    const traffic = trafficFrom(1, () => clock.now.getTime() - STEP_MS + (sequence.last++ % 60) * 1_000)
    const start = clock.now.getTime()
    const until = async (ms: number) => {
      while (clock.now.getTime() < start + ms) {
        clock.now = new Date(clock.now.getTime() + STEP_MS)
        const response = await fetch(address + API_BASE + post.path, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(traffic(STEP_MS / 1_000)),
        })
        if (!response.ok) throw new Error(await response.text())
        await response.arrayBuffer()
      }
      // First all vehicles expire that passed during the last steps, then their removal is forgotten.
      for (let time = 0; time < 2; time++) {
        await pause(EXPIRY_MS)
        clock.now = new Date(clock.now.getTime() + 2 * STEP_MS)
      }
      await pause(EXPIRY_MS)
      collectGarbage()
      const { heapUsed, heapTotal, external, rss } = process.memoryUsage()
      return { resident: rss, heapUsed, heapReserved: heapTotal, external }
    }
    const rows = [rowOf('an hour without a poll', await until(HOUR_MS))]
    rows.push(rowOf(`${LONG_MS / HOUR_MS} hours without a poll`, await until(LONG_MS)))
    return {
      head: ['MB', 'resident', 'heap used', 'heap reserved', 'outside the heap'],
      rows,
      notes: [
        'The second table is of the process of the benchmark, without memory limits, after garbage collection. Its clock is ahead, so several hours of vehicles expire at once.',
      ],
    }
  } finally {
    await app.close()
    await drop()
  }
}
