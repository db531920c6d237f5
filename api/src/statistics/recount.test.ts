import {
  type Division,
  divisions,
  type ResolutionUnit,
  resolutionUnits,
  type StatName,
  statNames,
} from '@rogatka/contract/options.ts'
import { stat, type WireStatistic } from '@rogatka/contract/statistics.ts'
import { violations } from '@rogatka/contract/vehicle.ts'
import { seededRandom } from '@rogatka/domain/core/random.ts'
import { expect, test } from 'vitest'
import type { Pool } from '../core/database.ts'
import { raw } from '../core/statement.ts'
import { send } from '../ingest/testing.ts'
import { type TestApi, testApi } from '../testing/test-api.ts'
import { deriveTraffic } from './derive.ts'
import { randomVehicle, stationAt } from './testing.ts'
import { verifyDerived } from './verify.ts'

/* Every figure against a count of single vehicles, in SQL independent of the code. */

/** For each division, the series of a vehicle: several, one or none. */
const SERIES: Record<Division, string> = {
  lane: `select v.lane_number::text`,
  category: `select case v.ctg8p1 when 0 then 'lack' else v.ctg8p1::text end`,
  violation: violations.map((name, bit) => `select '${name}' where v.violations & ${1 << bit} > 0`).join(' union all '),
  speedRange: `select case when coalesce(v.speed, 0) = 0 then 'unknown' when v.speed < 50 then '1' when v.speed < 60 then '2'
    when v.speed < 70 then '3' when v.speed < 80 then '4' when v.speed < 90 then '5' when v.speed < 100 then '6'
    when v.speed < 110 then '7' when v.speed < 120 then '8' when v.speed < 130 then '9' when v.speed < 140 then '10'
    else '11' end`,
  overSpeed: `select case when v.speed is null or v.speed - v.speed_limit <= 0 then '0'
    when v.speed - v.speed_limit <= 10 then '1' when v.speed - v.speed_limit <= 20 then '2'
    when v.speed - v.speed_limit <= 30 then '3' when v.speed - v.speed_limit <= 40 then '4'
    when v.speed - v.speed_limit <= 50 then '5' else '6' end`,
}

/** `seconds` is the length of the period. */
const FIGURE: Record<StatName, string> = {
  traffic: 'count(*)',
  trafficDensity: `round(count(*) * sum(round(1000000.0 / greatest(speed, 5))) filter (where speed > 0) * 3600
    / nullif(min(seconds) * count(nullif(speed, 0)) * 1000000, 0), 2)`,
  minSpeed: 'min(nullif(speed, 0))',
  avgSpeed: 'round(avg(nullif(speed, 0)), 1)',
  maxSpeed: 'max(nullif(speed, 0))',
  minTotalLoad: 'min(total_load)',
  avgTotalLoad: 'round(avg(total_load))',
  maxTotalLoad: 'max(total_load)',
}

type Range = { from: string; to: string }
type RecountRow = { location: number; period: Date; series: string } & Record<StatName, number | null>
/** For each statistic, figures by location, period and series; table totals have an empty series. */
type Figures = Record<StatName, Map<string, number>>

async function recount(db: Pool, groupBy: Division, unit: ResolutionUnit, { from, to }: Range): Promise<Figures> {
  const [since, until] = [from, to].map((at) => `'${at}'::timestamptz`)
  const counted = (series: string) =>
    db.query<RecountRow>(
      raw(
        `with counted as (
        select v.*, p.period, extract(epoch from least(p.next, ${until}) - p.period) as seconds
        from vehicle v
        join lateral (
          select greatest(date_trunc('${unit}', v.created_at, 'Europe/Warsaw'), ${since}) as period,
                 case when '${unit}' in ('minute', 'hour')
                   then date_trunc('${unit}', v.created_at, 'Europe/Warsaw') + interval '1 ${unit}'
                   else (date_trunc('${unit}', v.created_at at time zone 'Europe/Warsaw') + interval '1 ${unit}')
                     at time zone 'Europe/Warsaw' end as next
        ) p on true
        where v.created_at >= ${since} and v.created_at < ${until}
      )
      select v.location_id as location, v.period, s.series,
             ${statNames.map((name) => `(${FIGURE[name]})::float8 as "${name}"`).join(', ')}
      from counted v cross join lateral (${series}) s (series)
      group by 1, 2, 3`,
      ),
    )
  const rows = [
    ...(await counted(SERIES[groupBy])),
    ...(await counted(groupBy === 'violation' ? `select '' where v.violations > 0` : `select ''`)),
  ]
  const figures = (name: StatName) =>
    rows.flatMap(({ location, period, series, [name]: figure }): [string, number][] =>
      figure === null ? [] : [[`${location} ${period.toISOString()} ${series}`, figure]],
    )
  return Object.fromEntries(statNames.map((name) => [name, new Map(figures(name))])) as Figures
}

/** The response in the form of the recount, without the zeros and gaps of empty periods. */
function flat(statistics: readonly WireStatistic[], nothing: number | null) {
  const figures = new Map<string, number | null>()
  for (const { location, groups, periods } of statistics) {
    for (const [i, { start, summary }] of periods.entries()) {
      for (const { value, series } of groups) figures.set(`${location.id} ${start} ${value}`, series[i] ?? null)
      figures.set(`${location.id} ${start} `, summary)
    }
  }
  return new Map([...figures].filter(([, figure]) => figure !== nothing))
}

const YEAR = { from: '2025-11-30T10:20:30.400Z', to: '2026-12-02T17:45:00.000Z' }
const SPRING = { from: '2026-03-27T22:10:00.000Z', to: '2026-03-30T05:30:00.000Z' }
const AUTUMN = { from: '2026-10-24T08:17:00.000Z', to: '2026-10-26T09:00:00.000Z' }
const RANGES: Record<ResolutionUnit, Range[]> = {
  minute: [
    { from: '2026-03-28T23:30:00.000Z', to: '2026-03-29T03:00:30.000Z' },
    { from: '2026-10-24T23:30:00.000Z', to: '2026-10-25T03:00:30.000Z' },
  ],
  hour: [SPRING, AUTUMN],
  day: [YEAR],
  month: [YEAR],
  year: [YEAR],
}
const LOCATIONS = [3, 11]

/** Vehicles of a whole year, most of them on the days of clock changes. */
async function traffic(api: TestApi, seed: number, count: number, firstSequence = 1) {
  const random = seededRandom(seed)
  const between = ({ from, to }: Range) => {
    const [first, last] = [Date.parse(from), Date.parse(to)]
    return new Date(first + random.below(last - first))
  }
  const spans = [SPRING, AUTUMN, ...RANGES.minute, YEAR]
  for (const id of LOCATIONS) {
    const station = await api.station(stationAt(id, id === 3 ? 2 : 4))
    const vehicles = Array.from({ length: count }, (_, i) =>
      randomVehicle(random, firstSequence + i, between(spans[i % spans.length] as Range), id === 3 ? 2 : 4),
    )
    for (let at = 0; at < count; at += 500) {
      const { body } = await send(station, vehicles.slice(at, at + 500))
      expect(body.rejected).toEqual([])
    }
  }
}

/** Requests all figures; `recounted` caches recounts until vehicles change. */
async function everyFigureIsRight(api: TestApi, recounted: Map<string, Figures>) {
  const user = await api.as('Stat')
  for (const unit of resolutionUnits) {
    for (const range of RANGES[unit]) {
      for (const groupBy of divisions) {
        const about = `by ${groupBy} and ${unit} from ${range.from}`
        const expected = recounted.get(about) ?? (await recount(api.db, groupBy, unit, range))
        recounted.set(about, expected)
        const answers = await Promise.all(
          statNames.map((statName) =>
            user.call(stat, {
              query: {
                dateTimeStart: range.from,
                dateTimeEnd: range.to,
                statResolutionUnit: unit,
                statResolutionValue: 1,
                locations: LOCATIONS.join(),
                statName,
                groupBy,
                addGraph: false,
              },
            }),
          ),
        )
        for (const [i, { status, body }] of answers.entries()) {
          const statName = statNames[i] as StatName
          expect(status, `${statName} ${about}`).toBe(200)
          expect(expected[statName].size, `${statName} ${about}`).toBeGreaterThan(5)
          expect(flat(body, statName === 'traffic' ? 0 : null), `${statName} ${about}`).toEqual(expected[statName])
        }
      }
    }
  }
}

test('every figure equals a recount of the vehicles, before and after derivation, with late ones', async () => {
  const api = await testApi()
  api.clock.now = new Date('2026-12-03T12:00:00Z')
  await traffic(api, 1, 1_500)
  const recounted = new Map<string, Figures>()
  await everyFigureIsRight(api, recounted)
  expect(await deriveTraffic(api.db, api.clock.now)).toBeGreaterThan(400)
  await everyFigureIsRight(api, recounted)

  await traffic(api, 2, 60, 10_000)
  await everyFigureIsRight(api, new Map())
  await deriveTraffic(api.db, api.clock.now)
  expect((await verifyDerived(api.db)).differences).toEqual([])
})
