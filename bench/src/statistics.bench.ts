import { drawImage } from '@rogatka/api/core/chart-image.ts'
import type { Pool } from '@rogatka/api/core/database.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { deriveTraffic } from '@rogatka/api/statistics/derive.ts'
import { type TrafficQuery, trafficCells } from '@rogatka/api/statistics/queries.ts'
import { GRAPH_HEIGHT, GRAPH_WIDTH } from '@rogatka/contract/reports.ts'
import { categories } from '@rogatka/contract/vehicle.ts'
import { themes } from '@rogatka/domain/core/chart/theme.ts'
import { chartOption } from '@rogatka/domain/statistics/chart.ts'
import { periodLabel, periodsOf, type Resolution } from '@rogatka/domain/statistics/periods.ts'
import { stationIds } from './archive-data.ts'
import { archiveDatabase, STATIONS, UNTIL, VEHICLES } from './archive-database.ts'
import type { Comparison, Contender } from './bench.ts'

const locations = stationIds(STATIONS)
const MONTH = { from: new Date('2026-09-18T22:00:00Z'), to: new Date('2026-10-19T22:00:00Z') }
const YEAR = { from: new Date('2025-09-30T22:00:00Z'), to: new Date('2026-09-30T22:00:00Z') }
const HOURS = { from: new Date('2026-10-20T03:20:00Z'), to: new Date('2026-10-20T07:20:00Z') }

const query = (range: { from: Date; to: Date }, resolution: Resolution): TrafficQuery => ({
  statName: 'traffic',
  groupBy: 'category',
  locations,
  starts: periodsOf(range.from, range.to, resolution),
  end: range.to,
  lanes: null,
  categories: null,
  violations: 0,
})

const byDay = query(MONTH, { unit: 'day', value: 1 })
const byMonth = query(YEAR, { unit: 'month', value: 1 })
const byMinute = query(HOURS, { unit: 'minute', value: 1 })

/** The same counts from the vehicle table. */
const rawByDay = (db: Pool) =>
  db.query<{ vehicles: number }>(sql`
  select location_id, date_trunc('day', created_at, 'Europe/Warsaw') as day, ctg8p1, count(*)::int as vehicles
  from vehicle
  where location_id = any(${locations.map(String)}::int[]) and created_at >= ${MONTH.from}::timestamptz and created_at < ${MONTH.to}::timestamptz
  group by 1, 2, 3`)

const total = (cells: readonly { vehicles: number }[]) => cells.reduce((sum, { vehicles }) => sum + vehicles, 0)

/** Copies the roll-up of September 2026 to the months before, as the data cover only two months. */
const repeatMonths = (db: Pool, months: number) =>
  db.execute(sql`
  insert into traffic_month (
    location_id, month, lane_number, ctg8p1, violations, speed_range, overspeed_range, vehicles,
    speeds, speed_sum, speed_min, speed_max, slowness_sum, loads, load_sum, load_min, load_max
  )
  select location_id, (month - make_interval(months => back))::date, lane_number, ctg8p1, violations, speed_range,
         overspeed_range, vehicles, speeds, speed_sum, speed_min, speed_max, slowness_sum, loads, load_sum,
         load_min, load_max
  from traffic_month, generate_series(1, ${months}::int) back
  where month = '2026-09-01'
  on conflict do nothing`)

/** Derives the roll-ups of days, and of months with copies for those before. */
export async function deriveStatistics(db: Pool, months = 11): Promise<void> {
  await db.execute(sql`
    insert into traffic_mark (location_id, day)
    select distinct location_id, (hour at time zone 'Europe/Warsaw')::date from traffic_hour`)
  await deriveTraffic(db, UNTIL)
  await repeatMonths(db, months)
  await db.execute(sql`vacuum analyze traffic_day, traffic_month, traffic_mark`)
}

function image(): Promise<Buffer> {
  const starts = periodsOf(new Date('2026-10-19T06:00Z'), new Date('2026-10-20T06:00Z'), { unit: 'hour', value: 1 })
  const series = categories.map((value, index) => ({
    value,
    label: `kategoria ${value}`,
    total: '12 345',
    figures: starts.map((_, hour) => 20 + ((hour * 37 + index * 11) % 90)),
  }))
  const labels = starts.map((start) => periodLabel(start, 'hour'))
  const option = chartOption(
    {
      statName: 'traffic',
      groupBy: 'category',
      graphType: 'barPlot',
      unit: 'hour',
      starts,
      labels,
      series,
      title: { name: 'S8 Wyszków', subtitle: 'natężenie ruchu', range: 'doba' },
      empty: '–',
    },
    {
      theme: themes.light,
      width: GRAPH_WIDTH,
      height: GRAPH_HEIGHT,
      tick: String,
      figure: String,
      legend: true,
      patterns: false,
      interactive: false,
    },
  )
  return drawImage({ option, width: GRAPH_WIDTH, height: GRAPH_HEIGHT })
}

const RAW = 'from the vehicles: 31 days by day and category'

export const bench: Comparison = {
  summary: `Statistics of ${STATIONS} stations over ${VEHICLES.toLocaleString('en')} vehicles, and the image of a chart. Left out: HTTP, sessions, the encoding of responses, several users at the same time, and vehicles that arrive meanwhile`,
  unit: 'responses',
  rounds: 5,
  prepare: async () => {
    const { db, drop } = await archiveDatabase()
    await deriveStatistics(db)
    const [raw, derived] = [total(await rawByDay(db)), total(await trafficCells(db, byDay))]
    if (raw !== derived) throw new Error(`${derived} vehicles from the roll-up, ${raw} from the vehicles`)

    const queryContender = (name: string, query: TrafficQuery, against = name): Contender => ({
      name,
      against,
      run: async () => {
        await trafficCells(db, query)
        return 1
      },
    })
    const contenders: Contender[] = [
      {
        name: RAW,
        run: async () => {
          await rawByDay(db)
          return 1
        },
      },
      queryContender('31 days by day and category', byDay, RAW),
      queryContender('one year by month and category', byMonth),
      queryContender('one year by month, average load', { ...byMonth, statName: 'avgTotalLoad', groupBy: 'lane' }),
      queryContender('4 hours by minute and category', byMinute),
      {
        name: 'image of a chart',
        against: 'image of a chart',
        run: async () => {
          await image()
          return 1
        },
      },
    ]
    return { contenders, clear: drop }
  },
}
