import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import type { Pool } from '@rogatka/api/core/database.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { API_BASE, type WireOf } from '@rogatka/contract/endpoint.ts'
import { accuracy, figureGroupings, figures, pairs, unweighed } from '@rogatka/contract/inspections-figures.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { archiveDatabase, STATIONS, UNTIL, VEHICLES } from './archive-database.ts'
import { type Comparison, type Contender, isQuick } from './bench.ts'
import { loadInspections } from './inspections-data.ts'
import { signIn } from './sign-in.ts'
import { deriveStatistics } from './statistics.bench.ts'

const INSPECTIONS = isQuick ? 50_000 : 1_000_000
const YEARS = 5
const RANGES = { '90 days': 90, 'a year': 365, 'five years': YEARS * 365 } as const
type Range = keyof typeof RANGES

const millions = (count: number) => count.toLocaleString('en')
const startOf = (range: Range) => new Date(UNTIL.getTime() - RANGES[range] * DAY_MS)

type Counts = { locationId: number; weighed: number; hits: number }

/** Weighed preselected and flagged inspections, and hits, by station from the inspections themselves. */
const recountRates = (db: Pool, range: Range) =>
  db.query<Counts>(sql`
  select location_id as "locationId", count(*)::int as weighed, (count(*) filter (where confirmed))::int as hits
  from inspection
  where selection = 'preselected' and was_overload and weighing is not null
    and vehicle_created_at >= ${startOf(range)}::timestamptz and vehicle_created_at < ${UNTIL}::timestamptz
  group by 1`)

type Differences = { n: number; mean: number; s: number; within5: number }

/** Differences of the gross weight of random and reference ones, load by load. */
const recountDifferences = async (db: Pool, range: Range) => {
  const [counted] = await db.query<Differences>(sql`
    select count(*)::int as n, avg((wim[1] - scale[1]) * 100.0 / scale[1])::float8 as mean,
           stddev_samp((wim[1] - scale[1]) * 100.0 / scale[1])::float8 as s,
           (count(*) filter (where 100 * abs(wim[1] - scale[1]) <= 5 * scale[1]))::int as within5
    from inspection_figure
    where has_pairs and selection in (2, 4) and at >= ${startOf(range)}::timestamptz and at < ${UNTIL}::timestamptz`)
  return counted as Differences
}

/** @throws if the figures differ from a recount of the inspections */
async function assertRecount(db: Pool, range: Range, read: (path: string) => Promise<unknown>): Promise<void> {
  const rates = (await read(figures.path)) as WireOf<typeof figures, 'response'>
  for (const { locationId, weighed, hits } of await recountRates(db, range)) {
    const rate = rates.groups.find(({ location }) => location?.id === locationId)?.hitRate
    if (rate?.of !== weighed || rate.part !== hits)
      throw new Error(`station ${locationId}, ${range}: ${rate?.part} of ${rate?.of}, recounted ${hits} of ${weighed}`)
  }
  const { differences } = (await read(pairs.path)) as WireOf<typeof pairs, 'response'>
  const { n, mean, s, within5 } = differences.gross
  const counted = await recountDifferences(db, range)
  const isClose = (a: number | null, b: number) => a !== null && Math.abs(a - b) < 1e-6
  if (n !== counted.n || within5 !== counted.within5 || !isClose(mean, counted.mean) || !isClose(s, counted.s))
    throw new Error(`differences, ${range}: ${JSON.stringify([differences.gross, counted])}`)
}

export const bench: Comparison = {
  summary:
    `Figures of ${millions(INSPECTIONS)} inspections in ${YEARS} years at ${STATIONS} stations with ` +
    `${millions(VEHICLES)} vehicles, through the API, against the hit rate by station from the inspections in bare SQL. ` +
    'Before, hit rates by station, and the differences of gross weights, are compared with a recount. Left out: sockets, TLS, a proxy, several users at the same time, and inspections that arrive meanwhile',
  goal: 'each response within 100 ms',
  unit: 'responses',
  rounds: 5,
  async prepare() {
    const { db, url, drop } = await archiveDatabase()
    const [found] = await db.query<{ exists: boolean }>(sql`select exists (select from inspection)`)
    if (!found?.exists) {
      await deriveStatistics(db, 12 * YEARS)
      await loadInspections(db, { inspections: INSPECTIONS, days: YEARS * 365, stations: STATIONS, until: UNTIL })
    }
    const app = await createApp({ ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }, db)
    const headers = { authorization: `Bearer ${await signIn(db)}` }
    const read = async (path: string, range: Range, query: Record<string, string> = {}) => {
      const dates = { dateTimeStart: startOf(range).toISOString(), dateTimeEnd: UNTIL.toISOString() }
      const url = API_BASE + path
      const response = await app.api.http.inject({ method: 'GET', url, headers, query: { ...dates, ...query } })
      if (response.statusCode !== 200) throw new Error(response.body)
      return response.json()
    }
    const contender = (name: string, path: string, range: Range, query?: Record<string, string>): Contender => ({
      name: `${name}, ${range}`,
      run: async () => {
        await read(path, range, query)
        return 1
      },
    })
    for (const range of Object.keys(RANGES) as Range[]) await assertRecount(db, range, (path) => read(path, range))
    const ranges = Object.keys(RANGES) as Range[]
    return {
      contenders: [
        {
          name: 'bare SQL, a year',
          run: async () => {
            await recountRates(db, 'a year')
            return 1
          },
        },
        ...ranges.flatMap((range) =>
          figureGroupings.map((groupBy) => contender(`rates by ${groupBy}`, figures.path, range, { groupBy })),
        ),
        ...ranges.map((range) => contender('without weighing', unweighed.path, range)),
        ...ranges.map((range) => contender('accuracy classes', accuracy.path, range)),
        ...ranges.map((range) =>
          contender('newest pairs of a lane', pairs.path, range, { lanes: '101', limit: '1000' }),
        ),
      ],
      clear: async () => {
        await app.close()
        await drop()
      },
    }
  },
}
