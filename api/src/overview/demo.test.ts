import { overview } from '@rogatka/contract/overview.ts'
import { expect, test } from 'vitest'
import { sql } from '../core/statement.ts'
import { car, send } from '../ingest/testing.ts'
import { testApi } from '../testing/test-api.ts'
import { seedDemoQuarters } from './demo.ts'

test('the demo has earlier weeks like the last one, before the vehicles that it stores', async () => {
  const api = await testApi()
  const station = await api.station()
  const now = new Date('2026-10-20T08:10:00Z')
  api.clock.now = now
  const hour = new Date('2026-10-20T08:00:00Z')
  await send(station, [car(1, { createdAt: '2026-10-01T00:10:00Z' })])
  // A week with 40 vehicles in each quarter, and 400 from noon to midnight in Poland.
  await api.db.execute(sql`
    insert into traffic_quarter (quarter, location_id, vehicles, weighed, overloaded)
    select q, 7, case when extract(hour from q at time zone 'Europe/Warsaw') < 12 then 40 else 400 end, 30, 1
    from generate_series(${hour}::timestamptz - interval '7 days', ${hour}::timestamptz - interval '15 minutes', interval '15 minutes') as q`)
  const seed = () => seedDemoQuarters(api.db, now)
  await seed()

  const earlier = async () => {
    const rows = await api.db.query<{ afternoon: boolean; mean: number; quarters: number }>(sql`
      select extract(hour from quarter at time zone 'Europe/Warsaw') >= 12 as afternoon, avg(vehicles)::float8 as mean,
             count(*)::int as quarters
      from traffic_quarter where quarter < '2026-10-01T00:00Z' group by 1 order by 1`)
    return rows
  }
  const [morning, afternoon] = await earlier()
  expect(Math.abs((morning?.mean ?? 0) - 40)).toBeLessThan(12)
  expect(Math.abs((afternoon?.mean ?? 0) - 400)).toBeLessThan(12)
  // From 23 August, 08:00 UTC, to the end of September: 38 days and 16 hours.
  expect((morning?.quarters ?? 0) + (afternoon?.quarters ?? 0)).toBe((38 * 24 + 16) * 4)
  const [first] = await api.db.query(sql`select min(quarter) as quarter from traffic_quarter`)
  expect(first).toEqual({ quarter: new Date('2026-08-23T08:00:00Z') })
  await seed()
  expect((await earlier()).reduce((sum, { quarters }) => sum + quarters, 0)).toBe((38 * 24 + 16) * 4)

  const { body } = await (await api.as('CurrentMeasurements')).call(overview)
  const usual = body.stations[0]?.perHour.usual
  // Of the Mondays to Thursdays of 8 weeks: three of the last week, and those from 25 August to 30 September.
  expect(usual?.days).toBe(25)
  expect(Math.abs((usual?.median ?? 0) - 160)).toBeLessThan(10)
  expect(usual?.low).toBeLessThan(usual?.median as number)
})
