import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import type { Pool } from '@rogatka/api/core/database.ts'
import { raw, sql } from '@rogatka/api/core/statement.ts'
import { search } from '@rogatka/contract/archive.ts'
import { API_BASE, type WireOf } from '@rogatka/contract/endpoint.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { archiveDatabase, DAYS, SKEW, STATIONS, UNTIL, VEHICLES } from './archive-database.ts'
import type { Comparison, Contender } from './bench.ts'
import { signIn } from './sign-in.ts'

const [FROM, TO] = [new Date(UNTIL.getTime() - DAYS * DAY_MS), UNTIL]
const FIVE = [1, 9, 17, 25, 33]
const ALL = Array.from({ length: STATIONS }, (_, index) => index + 1)

type Query = WireOf<typeof search, 'query'>
type RunQuery = (query: Partial<Query>) => Promise<number>

/** SQL for the rows of a page, around a query of its vehicles. */
const page = (keys: string) => `
  select v.*, d.*, l.*, (select json_agg(i) from vehicle_image i
    where i.location_id = v.location_id and i.created_at = v.created_at and i.id = v.id) as images
  from (${keys}) v
  join vehicle_detail d using (location_id, created_at, id)
  join location l on l.id = v.location_id
  order by v.created_at desc, v.id`

const vehicles = (where: string, rest = 'order by created_at desc, id limit 10') =>
  `select * from vehicle where created_at >= $1 and created_at < $2 and ${where} ${rest}`

export const bench: Comparison = {
  summary: `The archive of ${VEHICLES.toLocaleString('en')} vehicles over HTTP, against bare SQL${SKEW ? `; the busiest of ${STATIONS} stations has ${SKEW * 100} % of them` : ''}. Left out: sockets, TLS, a proxy, several operators at the same time, and vehicles that arrive meanwhile`,
  unit: 'responses',
  rounds: 7,
  async prepare() {
    const { db, url, drop } = await archiveDatabase()
    const config = { ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }
    const app = await createApp(config, db)
    const token = await signIn(db)

    const runQuery: RunQuery = async (filters) => {
      const query = { dateTimeStart: FROM.toISOString(), dateTimeEnd: TO.toISOString(), locations: ALL, ...filters }
      const flags = { withAxles: 'true', withImages: 'true' }
      const response = await app.api.http.inject({
        method: search.method,
        url: API_BASE + search.path,
        headers: { authorization: `Bearer ${token}` },
        query: Object.fromEntries(Object.entries({ ...query, ...flags }).map(([key, value]) => [key, String(value)])),
      })
      if (response.statusCode !== 200) throw new Error(response.body)
      return 1
    }
    // Literals, so that each query is planned for its values.
    const runSql = async (text: string, from = FROM, to = TO) => {
      const literals = [from, to].map((at) => `'${at.toISOString()}'`)
      await db.query(raw(text.replace(/\$([12])/g, (_, nth) => literals[nth - 1] as string)))
      return 1
    }
    // A range that ends a millisecond earlier is a new search, which is not cached.
    let counter = 0
    const uncachedRange = () => ({ dateTimeEnd: new Date(TO.getTime() - ++counter).toISOString() })
    const plates = await samplePlates(db)
    const nextPlate = () => plates[++counter % plates.length] as string

    const firstPage = (name: string, where: string, query: Partial<Query>): Contender[] => [
      { name: `${name}: bare SQL`, run: () => runSql(page(vehicles(where))), against: `${name}: bare SQL` },
      { name: `${name}: repeated`, run: () => runQuery(query), against: `${name}: bare SQL` },
      {
        name: `${name}: first time`,
        run: () => runQuery({ ...query, ...uncachedRange() }),
        against: `${name}: bare SQL`,
      },
    ]
    const countContenders = (name: string, where: string, query: Partial<Query>): Contender[] => [
      {
        name: `${name}: bare SQL`,
        run: () => runSql(vehicles(where, '').replace('*', 'count(*)')),
        against: `${name}: bare SQL`,
      },
      {
        name: `${name}: portal`,
        run: () => runQuery({ ...query, ...uncachedRange(), page: 2 ** 50 }),
        against: `${name}: bare SQL`,
      },
    ]
    const month = new Date(TO.getTime() - 30 * DAY_MS)
    const week = new Date(TO.getTime() - 7 * DAY_MS)
    const sorting = {
      orderByColumnName1: 'ctg8p1',
      orderByColumnName2: 'speed',
      orderByColumnName3: 'totalLoad',
    } as const
    const sorted = 'order by nullif(ctg8p1, 0) desc nulls last, speed desc nulls last, total_load desc nulls last'

    const busiestContenders = (): Contender[] => [
      ...firstPage('first page, busiest station', `location_id = ${STATIONS}`, { locations: STATIONS }),
      ...countContenders('count, busiest station', `location_id = ${STATIONS}`, { locations: STATIONS }),
      {
        name: 'three columns, busiest station, 7 days: bare SQL',
        against: 'three columns, busiest station, 7 days: bare SQL',
        run: () => runSql(vehicles(`location_id = ${STATIONS}`, `${sorted}, created_at desc, id limit 10`), week),
      },
      {
        name: 'three columns, busiest station, 7 days: portal',
        against: 'three columns, busiest station, 7 days: bare SQL',
        run: () => runQuery({ ...sorting, ...uncachedRange(), dateTimeStart: week.toISOString(), locations: STATIONS }),
      },
    ]

    return {
      contenders: [
        ...firstPage('first page, all stations', 'true', {}),
        ...firstPage('first page, 5 stations', `location_id in (${FIVE})`, { locations: FIVE }),
        ...firstPage('first page, 1 station', 'location_id = 9', { locations: 9 }),
        ...firstPage('first page, overload', 'violations & 1 <> 0', { overload: true }),
        ...firstPage('first page, buses', 'ctg8p1 = 5', { ctg8p1: '5' }),
        ...countContenders('count, all stations', 'true', {}),
        ...countContenders('count, 5 stations', `location_id in (${FIVE})`, { locations: FIVE }),
        ...countContenders('count, lane, buses, overspeed', 'lane_number = 1 and ctg8p1 = 5 and violations & 4 <> 0', {
          laneNumbers: 1,
          ctg8p1: '5',
          overspeed: true,
        }),
        {
          name: 'three columns, 5 stations, 7 days: bare SQL',
          against: 'three columns, 5 stations, 7 days: bare SQL',
          run: () => runSql(vehicles(`location_id in (${FIVE})`, `${sorted}, created_at desc, id limit 10`), week),
        },
        {
          name: 'three columns, 5 stations, 7 days: portal',
          against: 'three columns, 5 stations, 7 days: bare SQL',
          run: () => runQuery({ ...sorting, ...uncachedRange(), dateTimeStart: week.toISOString(), locations: FIVE }),
        },
        ...(SKEW > 0 ? busiestContenders() : []),
        {
          name: 'middle of 30 days: SQL offset',
          against: 'middle of 30 days: SQL offset',
          run: () => runSql(vehicles('true', `order by created_at desc, id limit 10 offset ${VEHICLES / 4}`), month),
        },
        {
          name: 'middle of 30 days: portal',
          against: 'middle of 30 days: SQL offset',
          run: () =>
            runQuery({ ...uncachedRange(), dateTimeStart: month.toISOString(), page: VEHICLES / 40 + 3 * counter }),
        },
        ...plateContenders(runSql, runQuery, nextPlate),
      ],
      clear: async () => {
        await app.close()
        await drop()
      },
    }
  },
}

function plateContenders(
  runSql: (text: string) => Promise<number>,
  runQuery: RunQuery,
  nextPlate: () => string,
): Contender[] {
  const rows = 'order by created_at desc, id limit 10'
  return [
    {
      name: 'plate: bare SQL',
      against: 'plate: bare SQL',
      run: () => runSql(vehicles(`plate_lpr = '${nextPlate()}'`, rows)),
    },
    { name: 'plate: portal', against: 'plate: bare SQL', run: () => runQuery({ plateLpr: nextPlate() }) },
    {
      name: 'plate prefix: portal',
      against: 'plate: bare SQL',
      run: () => runQuery({ plateLpr: `${nextPlate().slice(0, 5)}*` }),
    },
    {
      name: 'plate suffix: portal',
      against: 'plate: bare SQL',
      run: () => runQuery({ plateLpr: `*${nextPlate().slice(2)}` }),
    },
    {
      name: 'plate with wildcards: portal',
      against: 'plate: bare SQL',
      run: () => runQuery({ plateLpr: nextPlate().replace(/(?<=..)\d/, '?') }),
    },
    {
      name: 'plate similarity 60 %: portal',
      against: 'plate: bare SQL',
      run: () => runQuery({ plateLpr: nextPlate(), similarity: 60 }),
    },
    {
      name: 'plate similarity 40 %: portal',
      against: 'plate: bare SQL',
      run: () => runQuery({ plateLpr: nextPlate(), similarity: 40 }),
    },
  ]
}

async function samplePlates(db: Pool): Promise<string[]> {
  const rows = await db.query<{ plate: string }>(sql`
    select plate from plate tablesample system (1) repeatable (1) where length(plate) >= 7 limit 200`)
  return rows.map(({ plate }) => plate)
}
