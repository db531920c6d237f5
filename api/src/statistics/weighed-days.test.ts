import * as endpoints from '@rogatka/contract/statistics-distributions.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { isOnOneServer } from '../testing/databases.ts'
import { explaining } from '../testing/plans.ts'
import { testApi } from '../testing/test-api.ts'
import { completeDaysOf, dailyEquivalents, planRequest } from './distributions.ts'
import { stationAt } from './testing.ts'

const NOW = new Date('2026-12-03T12:00:00Z')
/** Of the request, and of all: PostgreSQL reads the whole table of fewer. */
const STATIONS = 10
const ALL_STATIONS = 40
/** A station that weighs in July, but never has a first axle alone. */
const WEIGHING = 3
const LANES = 2
const CATEGORIES = 6
const FILTERS = { from: '2026-01-01', until: '2026-11-15' }
/** Of the month that is not whole in the range. */
const SINGLE_DAYS = 15

test.runIf(isOnOneServer)('days of stations that never weigh are not searched for weighed vehicles', async () => {
  const api = await testApi()
  api.clock.now = NOW
  const ids = Array.from({ length: STATIONS }, (_, at) => at + 1)
  for (const id of ids) await api.station(stationAt(id, LANES))
  await api.db.execute(sql`
    insert into profile_day (location_id, day, vehicles, heavy_vehicles, hours)
    select s, d, 2400, 0, array_fill(100, array[24])
    from generate_series(1, ${STATIONS}::int) s, generate_series('2026-01-01'::date, '2026-11-30', interval '1 day') d`)
  await api.db.execute(sql`
    insert into load_day (location_id, day, lane_number, ctg8p1, overloaded, vehicles, weighed, judged, load_sum, axles,
                          load4_sum, judged_load4_sum, avoidable4_sum, gross)
    select s, d, lane, category, false, 200, n, 0, 0, 0, n * power(10, 16)::numeric, 0, 0, '{}'
    from generate_series(1, ${ALL_STATIONS}::int) s, generate_series('2026-01-01'::date, '2026-11-30', interval '1 day') d,
         generate_series(1, ${LANES}::int) lane, generate_series(1, ${CATEGORIES}::int) category,
         lateral (select case when s = ${WEIGHING}::int and d::date between '2026-07-11' and '2026-07-20' then 5 else 0 end) w (n)`)
  await api.db.execute(sql`
    insert into load_month (location_id, month, lane_number, ctg8p1, overloaded, vehicles, weighed, judged, load_sum, axles,
                            load4_sum, judged_load4_sum, avoidable4_sum, gross)
    select location_id, date_trunc('month', day), lane_number, ctg8p1, false, sum(vehicles), sum(weighed), 0, 0, 0,
           sum(load4_sum), 0, 0, '{}'
    from load_day group by 1, 2, 3, 4`)
  await api.db.execute(sql`analyze load_day`)
  await api.db.execute(sql`analyze load_month`)

  const { db, readsOf } = explaining(api, (statement) => statement.includes('weighed > 0'))
  const request = await planRequest(db, { ...FILTERS, locations: ids }, NOW)
  const complete = await completeDaysOf(db, request)
  const reads = await readsOf(() => dailyEquivalents(db, request, complete))
  await db.end()
  const rows = (table: string) => reads.reduce((sum, { by, rows }) => sum + (by.includes(table) ? rows : 0), 0)
  // Of the whole months only July of the station that weighed in it.
  expect(rows('load_day')).toBeLessThanOrEqual((STATIONS * SINGLE_DAYS + 31) * LANES * CATEGORIES)
  expect(rows('load_month')).toBeLessThanOrEqual(ALL_STATIONS * 11 * LANES * CATEGORIES)

  const user = await api.as('Stat')
  const { body } = await user.call(endpoints.equivalentAxles, { query: { ...FILTERS, locations: ids.join(',') } })
  expect(body.map(({ location, days }) => [location.id, days])).toEqual(ids.map((id) => [id, id === WEIGHING ? 10 : 0]))
})
