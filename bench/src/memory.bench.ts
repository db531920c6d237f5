import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { connect } from '@rogatka/api/core/database.ts'
import { attachEmbedded } from '@rogatka/api/core/embedded.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { report } from '@rogatka/contract/archive.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { type ReportType, reportLimits } from '@rogatka/contract/reports.ts'
import { startPortal } from '@rogatka/e2e/portal.ts'
import { loadArchive, stationIds } from './archive-data.ts'
import { isQuick, isRequested, type Measurement, type Table } from './bench.ts'
import type { ProcessFigures } from './memory-day.ts'
import { readAll } from './read-all.ts'
import { signIn } from './sign-in.ts'

const IDLE_MS = isQuick ? 15_000 : 60_000
const STATIONS = 40
const UNTIL = new Date('2026-10-20T08:00:00Z')
const TYPES = ['csv', 'xlsx', 'pdf'] as const
const ROWS = (type: ReportType) => (isQuick ? 20_000 : reportLimits[type])
const HOURS = [1, isQuick ? 6 : 24]
const [SERVER, DAY] = ['server', 'day']

export const bench: Measurement = {
  summary:
    'Memory of a server process: idle, and the peak while it sends the largest reports one after another; and after a simulated day of 3,600 vehicles per hour that no client polls, against that after an hour. Left out: images, operators with live lists, several reports at the same time, and the memory of the database',
  goal: 'at most 200 MB idle and 350 MB under reports, and no more after a day than after an hour',
  measure: async () => [
    ...(isRequested(SERVER) ? [await measureServer()] : []),
    ...(isRequested(DAY) ? [await measureDay()] : []),
  ],
}

const MB = 2 ** 20
const inMb = (bytes: number) => (bytes / MB).toFixed(0)

async function figuresOf(url: string): Promise<ProcessFigures> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1] ?? Number.NaN)
  return {
    resident: figure('process_resident_memory_bytes'),
    heapUsed: figure('nodejs_heap_size_used_bytes'),
    heapReserved: figure('nodejs_heap_size_total_bytes'),
    external: figure('nodejs_external_memory_bytes'),
  }
}

const rowOf = (name: string, { resident, heapUsed, heapReserved, external }: ProcessFigures) => [
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
async function peakDuring(url: string, work: () => Promise<void>): Promise<ProcessFigures> {
  const peak: ProcessFigures = { resident: 0, heapUsed: 0, heapReserved: 0, external: 0 }
  let isDone = false
  const done = work().finally(() => {
    isDone = true
  })
  while (!isDone) {
    const figures = await figuresOf(url)
    for (const key of Object.keys(peak) as (keyof ProcessFigures)[]) peak[key] = Math.max(peak[key], figures[key])
    await pause(50)
  }
  await done
  return peak
}

/** In a process with the memory limits of a server, whose clock is simulated. */
async function measureDay(): Promise<Table> {
  const script = join(import.meta.dirname, 'memory-day.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...HOURS.map(String)])
  const figures: ProcessFigures[] = JSON.parse(stdout)
  const names = HOURS.map((hours) => `${hours === 1 ? 'an hour' : `${hours} hours`} without a poll`)
  return {
    head: ['MB', 'resident', 'heap used', 'heap reserved', 'outside the heap'],
    rows: figures.map((figure, at) => rowOf(names[at] ?? '', figure)),
    notes: [
      'The second table is of a process with the memory limits of a server, which also sends the vehicles, after garbage collection. Its intervals are 60 times as short, as its clock is faster: vehicles expire in its step.',
    ],
  }
}
