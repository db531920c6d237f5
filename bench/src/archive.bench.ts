import { createApp } from '@rogatka/api/app.ts'
import { readConfig } from '@rogatka/api/config.ts'
import type { Pool } from '@rogatka/api/core/database.ts'
import { raw, sql } from '@rogatka/api/core/statement.ts'
import { search } from '@rogatka/contract/archive.ts'
import { API_BASE, type WireOf } from '@rogatka/contract/endpoint.ts'
import { DAY_MS } from '@rogatka/domain/core/time.ts'
import { archiveDatabase, DAYS, STATIONS, UNTIL, VEHICLES } from './archive-database.ts'
import type { Comparison, Contender } from './bench.ts'
import { signIn } from './sign-in.ts'

const [FROM, TO] = [new Date(UNTIL.getTime() - DAYS * DAY_MS), UNTIL]
const FIVE = [1, 9, 17, 25, 33]
const ALL = Array.from({ length: STATIONS }, (_, index) => index + 1)

type Query = WireOf<typeof search, 'query'>
type RunQuery = (query: Partial<Query>) => Promise<number>

/** What a page shows, in one statement around the keys of its vehicles. */
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
  summary: `The archive of ${VEHICLES.toLocaleString('en')} vehicles over HTTP, against bare SQL`,
  unit: 'responses',
  rounds: 7,
  async prepare() {
    const { db, url, drop } = await archiveDatabase()
    const config = { ...readConfig({ DATABASE_URL: url, LOG_LEVEL: 'silent' }), demo: false }
    const app = await createApp(config, db)
    const token = await signIn(db)

    const ask: RunQuery = async (given) => {
      const query = { dateTimeStart: FROM.toISOString(), dateTimeEnd: TO.toISOString(), locations: ALL, ...given }
      const flags = { withAxles: 'true', withImages: 'true' }
      const answer = await app.api.http.inject({
        method: search.method,
        url: API_BASE + search.path,
        headers: { authorization: `Bearer ${token}` },
        query: Object.fromEntries(Object.entries({ ...query, ...flags }).map(([key, value]) => [key, String(value)])),
      })
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return 1
    }
    // Planned for its values each time, as a person would ask it.
    const bare = async (text: string, from = FROM, to = TO) => {
      const literals = [from, to].map((at) => `'${at.toISOString()}'`)
      await db.query(raw(text.replace(/\$([12])/g, (_, nth) => literals[nth - 1] as string)))
      return 1
    }
    // A range that ends a millisecond earlier is a new search, which no cache has.
    let moment = 0
    const unasked = () => ({ dateTimeEnd: new Date(TO.getTime() - ++moment).toISOString() })
    const plates = await somePlates(db)
    const plate = () => plates[++moment % plates.length] as string

    const firstPage = (name: string, where: string, query: Partial<Query>): Contender[] => [
      { name: `${name}: bare SQL`, run: () => bare(page(vehicles(where))), against: `${name}: bare SQL` },
      { name: `${name}: repeated`, run: () => ask(query), against: `${name}: bare SQL` },
      { name: `${name}: first time`, run: () => ask({ ...query, ...unasked() }), against: `${name}: bare SQL` },
    ]
    const counted = (name: string, where: string, query: Partial<Query>): Contender[] => [
      {
        name: `${name}: bare SQL`,
        run: () => bare(vehicles(where, '').replace('*', 'count(*)')),
        against: `${name}: bare SQL`,
      },
      {
        name: `${name}: portal`,
        run: () => ask({ ...query, ...unasked(), page: 2 ** 50 }),
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

    return {
      contenders: [
        ...firstPage('first page, all stations', 'true', {}),
        ...firstPage('first page, 5 stations', `location_id in (${FIVE})`, { locations: FIVE }),
        ...firstPage('first page, 1 station', 'location_id = 9', { locations: 9 }),
        ...firstPage('first page, overload', 'violations & 1 <> 0', { overload: true }),
        ...firstPage('first page, buses', 'ctg8p1 = 5', { ctg8p1: '5' }),
        ...counted('count, all stations', 'true', {}),
        ...counted('count, 5 stations', `location_id in (${FIVE})`, { locations: FIVE }),
        ...counted('count, lane, buses, overspeed', 'lane_number = 1 and ctg8p1 = 5 and violations & 4 <> 0', {
          laneNumbers: 1,
          ctg8p1: '5',
          overspeed: true,
        }),
        {
          name: 'three columns, 5 stations, 7 days: bare SQL',
          against: 'three columns, 5 stations, 7 days: bare SQL',
          run: () => bare(vehicles(`location_id in (${FIVE})`, `${sorted}, created_at desc, id limit 10`), week),
        },
        {
          name: 'three columns, 5 stations, 7 days: portal',
          against: 'three columns, 5 stations, 7 days: bare SQL',
          run: () => ask({ ...sorting, ...unasked(), dateTimeStart: week.toISOString(), locations: FIVE }),
        },
        {
          name: 'middle of 30 days: SQL offset',
          against: 'middle of 30 days: SQL offset',
          run: () => bare(vehicles('true', `order by created_at desc, id limit 10 offset ${VEHICLES / 4}`), month),
        },
        {
          name: 'middle of 30 days: portal',
          against: 'middle of 30 days: SQL offset',
          run: () => ask({ ...unasked(), dateTimeStart: month.toISOString(), page: VEHICLES / 40 + 3 * moment }),
        },
        ...plateContenders(bare, ask, plate),
      ],
      clear: async () => {
        await app.close()
        await drop()
      },
    }
  },
}

function plateContenders(bare: (text: string) => Promise<number>, ask: RunQuery, plate: () => string): Contender[] {
  const rows = 'order by created_at desc, id limit 10'
  return [
    {
      name: 'plate: bare SQL',
      against: 'plate: bare SQL',
      run: () => bare(vehicles(`plate_lpr = '${plate()}'`, rows)),
    },
    { name: 'plate: portal', against: 'plate: bare SQL', run: () => ask({ plateLpr: plate() }) },
    {
      name: 'plate prefix: portal',
      against: 'plate: bare SQL',
      run: () => ask({ plateLpr: `${plate().slice(0, 5)}*` }),
    },
    { name: 'plate suffix: portal', against: 'plate: bare SQL', run: () => ask({ plateLpr: `*${plate().slice(2)}` }) },
    {
      name: 'plate with wildcards: portal',
      against: 'plate: bare SQL',
      run: () => ask({ plateLpr: plate().replace(/(?<=..)\d/, '?') }),
    },
    {
      name: 'plate similarity 60 %: portal',
      against: 'plate: bare SQL',
      run: () => ask({ plateLpr: plate(), similarity: 60 }),
    },
    {
      name: 'plate similarity 40 %: portal',
      against: 'plate: bare SQL',
      run: () => ask({ plateLpr: plate(), similarity: 40 }),
    },
  ]
}

async function somePlates(db: Pool): Promise<string[]> {
  const rows = await db.query<{ plate: string }>(sql`
    select plate from plate tablesample system (1) repeatable (1) where length(plate) >= 7 limit 200`)
  return rows.map(({ plate }) => plate)
}
