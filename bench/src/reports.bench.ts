import { createApp } from '@rogatka/api/app.ts'
import { listedRows } from '@rogatka/api/archive/search.ts'
import { readConfig } from '@rogatka/api/config.ts'
import type { Pool } from '@rogatka/api/core/database.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { archiveFilters, report } from '@rogatka/contract/archive.ts'
import { check } from '@rogatka/contract/current.ts'
import { API_BASE } from '@rogatka/contract/endpoint.ts'
import { type ReportType, reportLimits } from '@rogatka/contract/reports.ts'
import { loadArchive, stationIds } from './archive-data.ts'
import type { Comparison, Contender } from './bench.ts'
import { copyOut } from './copy.ts'
import { benchDatabase } from './database.ts'
import { readAll } from './read-all.ts'
import { signIn } from './sign-in.ts'

const ROWS = Number(process.env.BENCH_ROWS ?? reportLimits.csv)
const STATIONS = 40
const UNTIL = new Date('2026-10-20T08:00:00Z')
const DAYS = 2
const SMALL = 10_000

export const bench: Comparison = {
  summary: `Reports of ${ROWS.toLocaleString('en')} vehicles over HTTP, against COPY and against a query of the same rows. Left out: TLS, a proxy, a client outside of the server process, several reports at the same time, and vehicles that arrive meanwhile`,
  unit: 'rows',
  rounds: 3,
  async prepare() {
    const { db, url, drop } = await benchDatabase()
    await loadArchive(db, url, { vehicles: Math.ceil(ROWS * 1.1), days: DAYS, stations: STATIONS, until: UNTIL })
    const app = await createApp({ ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }, db)
    await app.listen()
    const address = await app.api.http.listen({ host: '127.0.0.1', port: 0 })
    const headers = { authorization: `Bearer ${await signIn(db)}` }
    const begins = await startOf(db)
    const peaks = new Map<string, number>()
    const polls = new Map<string, number[]>()

    const query = (rows: number) => ({
      dateTimeStart: begins(rows).toISOString(),
      dateTimeEnd: UNTIL.toISOString(),
      locations: stationIds(STATIONS).join(),
    })
    const poll = async () => {
      const start = performance.now()
      await readAll(`${address}${API_BASE}${check.path}`, headers)
      return performance.now() - start
    }
    /** Fetches a report while a client polls the live list; records peak memory and the response times of the polls. */
    const fetchReport = async (reportType: ReportType, rows: number) => {
      const parameters = new URLSearchParams({ ...query(rows), reportType })
      const { link } = (await (
        await fetch(`${address}${API_BASE}${report.path}?${parameters}`, { headers })
      ).json()) as {
        link: string
      }
      const name = `${reportType}, ${rows.toLocaleString('en')} rows`
      globalThis.gc?.()
      const polling: Promise<unknown>[] = []
      const watch = setInterval(() => {
        peaks.set(name, Math.max(peaks.get(name) ?? 0, process.memoryUsage().rss))
        polling.push(poll().then((ms) => polls.set(name, [...(polls.get(name) ?? []), ms])))
      }, 50)
      await readAll(`${address}${API_BASE}${link}`, headers)
      clearInterval(watch)
      await Promise.all(polling)
      return rows
    }
    const reportContender = (reportType: ReportType, rows = Math.min(ROWS, reportLimits[reportType])): Contender => ({
      name: `${reportType}, ${rows.toLocaleString('en')} rows`,
      run: () => fetchReport(reportType, rows),
    })

    for (let count = 0; count < 60; count++) polls.set('idle', [...(polls.get('idle') ?? []), await poll()])
    return {
      contenders: [
        { name: 'COPY … CSV of the same columns', run: () => copy(url, begins(ROWS)) },
        { name: 'query of the same rows', run: () => readRows(db, archiveFilters.parse(query(ROWS))) },
        reportContender('csv', SMALL),
        reportContender('parquet', SMALL),
        reportContender('xlsx', SMALL),
        reportContender('pdf', SMALL),
        reportContender('csv'),
        reportContender('parquet'),
        reportContender('xlsx'),
        reportContender('pdf'),
      ],
      notes: () => [...memoryNotes(peaks), ...waitNotes(polls)],
      clear: async () => {
        await app.close()
        await drop()
      },
    }
  },
}

const memoryNotes = (peaks: Map<string, number>) =>
  [...peaks].map(([name, bytes]) => `${name}: peak memory of the process ${Math.round(bytes / 2 ** 20)} MB`)

const waitNotes = (polls: Map<string, number[]>) =>
  [...polls].map(([name, times]) => {
    const sorted = times.sort((a, b) => a - b)
    const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)
    return `${name}: a concurrent poll takes ${at(0.5)} ms in the median, 99 % within ${at(0.99)} ms`
  })

/** When the newest so many vehicles begin. */
async function startOf(db: Pool): Promise<(rows: number) => Date> {
  const starts = new Map<number, Date>()
  for (const rows of [SMALL, reportLimits.pdf, ROWS]) {
    const [row] = await db.query<{ at: Date }>(sql`
      select created_at as at from vehicle where created_at < ${UNTIL}::timestamptz
      order by created_at desc, id desc offset ${rows - 1} limit 1`)
    starts.set(rows, row?.at ?? UNTIL)
  }
  return (rows) => starts.get(rows) ?? UNTIL
}

async function readRows(db: Pool, filters: ReturnType<typeof archiveFilters.parse>): Promise<number> {
  let rows = 0
  for await (const batch of listedRows(db, { ...filters, withAxles: true }, { userId: 1, permissions: [] })) {
    rows += batch.length
  }
  return rows
}

const copy = (url: string, from: Date): Promise<number> =>
  copyOut(
    url,
    `
      select v.created_at, l.short_name, l.road_number, l.chainage, l.direction, v.lane_number, v.plate_lpr, v.nationality,
             v.ctg8p1, v.ctg323, v.speed, v.speed_limit, v.total_load, v.limit_total_load, v.overload_tl, v.overload_sa,
             v.overload_ma, v.veh_length, v.limit_length, v.veh_height, v.limit_height, v.number_of_axles, d.axles,
             v.violations, v.id
      from vehicle v
      join vehicle_detail d using (location_id, created_at, id)
      join location l on l.id = v.location_id
      where v.created_at >= '${from.toISOString()}' and v.created_at < '${UNTIL.toISOString()}'
      order by v.created_at desc, v.id`,
  )
