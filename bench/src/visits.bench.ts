import { extendVisits, openVisits, type Visit } from '@rogatka/api/core/activity-log.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { type Comparison, isQuick } from './bench.ts'
import { benchDatabase } from './database.ts'

const OPERATORS = isQuick ? 50 : 200
const STATIONS = 200
/** Closed visits in the same table. */
const CLOSED = isQuick ? 50_000 : 500_000

export const bench: Comparison = {
  summary: `Open visits: ${(OPERATORS * STATIONS).toLocaleString('en')} of them (${OPERATORS} operators, each with ${STATIONS} stations) are extended, against an update of as many rows by primary key`,
  goal: 'at least 0.3 of the update by primary key; 0.2 s for 40,000',
  unit: 'visits',
  rounds: 10,
  async prepare() {
    const { db, drop } = await benchDatabase()
    await db.execute(sql`insert into location (id, short_name, name, road_number, chainage, direction)
              select n, 'S ' || n, 'S ' || n, 'S8', '1', 'W' from generate_series(1, ${STATIONS}) n`)
    await db.execute(sql`insert into activity (user_id, event_type, location_id, login_at, last_seen_at, logout_at, created_at, ip)
              select n % ${OPERATORS}, 2, 1 + n % ${STATIONS}, now(), now(), now(), now(), '10.0.0.1'
              from generate_series(1, ${CLOSED}) n`)
    const visits: Visit[] = Array.from({ length: OPERATORS * STATIONS }, (_, at) => ({
      userId: Math.floor(at / STATIONS),
      locationId: 1 + (at % STATIONS),
      ip: '10.0.0.1',
    }))
    await openVisits(db, visits, new Date())
    await db.execute(sql`vacuum analyze activity`)
    const ids = (await db.query<{ id: number }>(sql`select id from activity where logout_at is null`)).map(
      ({ id }) => id,
    )
    const updates = async () => {
      const [row] = await db.query<{ all: number; hot: number }>(sql`
        select n_tup_upd::int as all, n_tup_hot_upd::int as hot from pg_stat_user_tables where relname = 'activity'`)
      return row ? `${Math.round((100 * row.hot) / Math.max(1, row.all))} % of the updates changed no index (HOT).` : ''
    }
    let note = ''
    return {
      contenders: [
        {
          name: 'update by primary key',
          run: async () => {
            const changed = await db.query(sql`
              update activity a set last_seen_at = ${new Date()}::timestamptz
              from unnest(${ids.map(String)}::bigint[]) as v (id) where a.id = v.id returning a.id`)
            return changed.length
          },
        },
        {
          name: 'open visits, as the portal extends them',
          run: async () => {
            const written = await extendVisits(
              db,
              visits.map((visit) => ({ ...visit, seenAt: new Date() })),
            )
            note = await updates()
            return written.length
          },
        },
      ],
      notes: () => [note],
      clear: drop,
    }
  },
}
