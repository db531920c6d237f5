import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { isOnOneServer } from '../testing/databases.ts'
import { explaining } from '../testing/plans.ts'
import { testApi } from '../testing/test-api.ts'
import { type TrafficQuery, trafficCells } from './queries.ts'
import { stationAt } from './testing.ts'

const STATIONS = 10
/** Rows of a day at a station: by category. */
const CATEGORIES = 8
const MONTH_DAYS = 30

test.runIf(isOnOneServer)('a year with one dirty day reads the clean days of its month only', async () => {
  const api = await testApi()
  const ids = Array.from({ length: STATIONS }, (_, at) => at + 1)
  for (const id of ids) await api.station(stationAt(id, 1))
  const none = sql`1, 0, 0, 0, 0, 0, 0, 0, 0, 0`
  const columns = sql`lane_number, violations, speed_range, overspeed_range, speeds, speed_sum, slowness_sum, loads,
    load_sum, speed_min`
  await api.db.execute(sql`
    insert into traffic_day (location_id, day, ctg8p1, vehicles, ${columns})
    select s, d, category, 10, ${none}
    from generate_series(1, ${STATIONS}::int) s, generate_series('2025-12-01'::date, '2026-11-30', interval '1 day') d,
         generate_series(1, ${CATEGORIES}::int) category`)
  await api.db.execute(sql`
    insert into traffic_month (location_id, month, ctg8p1, vehicles, ${columns})
    select location_id, date_trunc('month', day), ctg8p1, sum(vehicles), ${none}
    from traffic_day group by 1, 2, 3`)
  await api.db.execute(sql`
    insert into traffic_mark (location_id, day) select s, '2026-11-20' from generate_series(1, ${STATIONS}::int) s`)
  for (const table of [sql`traffic_day`, sql`traffic_month`, sql`traffic_mark`])
    await api.db.execute(sql`analyze ${table}`)

  const query: TrafficQuery = {
    ...{ statName: 'traffic', groupBy: 'category', violations: 0, lanes: null, categories: null, locations: ids },
    starts: [new Date('2025-11-30T23:00:00Z')],
    end: new Date('2026-11-30T23:00:00Z'),
  }
  const { db, readsOf } = explaining(api, (statement) => statement.includes('clean_day'))
  let vehicles = 0
  const reads = await readsOf(async () => {
    vehicles = (await trafficCells(db, query)).reduce((sum, cell) => sum + Number(cell.vehicles), 0)
  })
  await db.end()
  // No hours of the dirty day are stored.
  expect(vehicles).toBe(STATIONS * CATEGORIES * 10 * 364)
  const read = reads.reduce((sum, { by, rows }) => sum + (by.includes('traffic_day') ? rows : 0), 0)
  expect(read).toBeLessThanOrEqual(STATIONS * CATEGORIES * MONTH_DAYS)
})
