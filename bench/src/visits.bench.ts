import type { Pool } from '@rogatka/api/core/database.ts'
import { closeVisits, type Watcher } from '@rogatka/api/core/live-visits.ts'
import { sql } from '@rogatka/api/core/statement.ts'
import { createVisits } from '@rogatka/api/current/visits.ts'
import { type Comparison, isQuick } from './bench.ts'
import { benchDatabase } from './database.ts'

const OPERATORS = 1_000
const STATIONS = 40
/** Operators who open the list and log out in one run. */
const ARRIVING = isQuick ? 50 : 200
/** Ended visits in the same tables. */
const ENDED = isQuick ? 50_000 : 500_000
const IP = '10.0.0.1'

const locationIds = Array.from({ length: STATIONS }, (_, index) => index + 1)

export const bench: Comparison = {
  summary: `Visits to the live list: ${OPERATORS.toLocaleString('en')} operators poll ${STATIONS} stations each. 0.2.0 had a row for each station and rewrote it every 45 s; the portal has one row for each operator and compares it with the polls every 10 s. Left out: HTTP, the lists themselves, the access trail, and several server processes`,
  goal: 'at least 10 times faster than extending a row for each station, and no open visit is written',
  unit: 'operators',
  rounds: 10,
  async prepare() {
    const { db, drop } = await benchDatabase()
    await insertBackground(db)
    const watchers = await signIn(db, 1, OPERATORS)
    const arriving = await signIn(db, OPERATORS + 1, ARRIVING)
    const visits = createVisits(db, { warn: () => {} })
    for (const watcher of watchers) await visits.open(watcher, locationIds, new Date())
    for (const watcher of watchers) await openRows(db, watcher)
    await db.execute(sql`vacuum analyze`)
    const version = async () => {
      const [row] = await db.query<{ version: string }>(sql`
        select sum(xmin::text::bigint)::text as version from live_visit where logout_at is null`)
      return row?.version
    }
    const before = await version()
    let note = ''
    return {
      contenders: [
        { name: 'a row for each station, extended', run: () => extendRows(db, watchers) },
        {
          name: 'a row for each operator, compared with the polls',
          run: async () => {
            const now = new Date()
            for (const watcher of watchers) visits.touch(watcher, locationIds, now)
            await visits.sync(now)
            note = (await version()) === before ? 'No open visit was written.' : 'Open visits were written.'
            return watchers.length
          },
        },
        {
          name: 'a row for each station, opened and closed',
          run: async () => {
            for (const watcher of arriving) await openRows(db, watcher)
            for (const watcher of arriving) await closeRows(db, watcher)
            return arriving.length
          },
        },
        {
          name: 'a row for each operator, opened and closed',
          against: 'a row for each station, opened and closed',
          run: async () => {
            const process = createVisits(db, { warn: () => {} })
            for (const watcher of arriving) await process.open(watcher, locationIds, new Date())
            for (const { session } of arriving) await closeVisits(db, Buffer.from(session, 'base64'), new Date())
            return arriving.length
          },
        },
      ],
      notes: () => [note],
      clear: drop,
    }
  },
}

async function insertBackground(db: Pool): Promise<void> {
  await db.execute(sql`
    insert into location (id, short_name, name, road_number, chainage, direction)
    select n, 'S ' || n, 'S ' || n, 'S8', '1', 'W' from generate_series(1, ${STATIONS}) n`)
  await db.execute(sql`
    insert into activity (user_id, event_type, location_id, login_at, last_seen_at, logout_at, created_at, ip)
    select n % ${OPERATORS}, 2, 1 + n % ${STATIONS}, now(), now(), now(), now(), ${IP} from generate_series(1, ${ENDED}) n`)
  await db.execute(sql`
    insert into live_visit (user_id, ip, location_ids, login_at, logout_at, process)
    select n % ${OPERATORS}, ${IP}, ${locationIds}, now(), now(), gen_random_uuid()
    from generate_series(1, ${ENDED / STATIONS}) n`)
}

/** Sessions of as many new users, with ids from `first` on. */
async function signIn(db: Pool, first: number, count: number): Promise<Watcher[]> {
  const rows = await db.query<Omit<Watcher, 'ip'>>(sql`
    with added as (
      insert into app_user (id, username, first_name, last_name, password_hash) overriding system value
      select n, 'operator' || n, '', '', '' from generate_series(${first}::int, ${first + count - 1}::int) n
      returning id
    )
    insert into session (token_hash, user_id, created_at, last_seen_at, ip)
    select sha256(int4send(id)), id, now(), now(), ${IP} from added
    returning user_id as "userId", encode(token_hash, 'base64') as session`)
  return rows.map((row) => ({ ...row, ip: IP }))
}

/** The statements of 0.2.0. */
const openRows = (db: Pool, { userId, ip }: Watcher) =>
  db.execute(sql`
  insert into activity (user_id, event_type, location_id, login_at, last_seen_at, created_at, ip)
  select ${userId}::int, 2, l.id, now(), now(), now(), ${ip}::text from location l where l.id = any(${locationIds}) order by 1, 3, 7
  on conflict (user_id, location_id, ip) where event_type = 2 and logout_at is null
  do update set last_seen_at = greatest(activity.last_seen_at, excluded.last_seen_at)`)

async function extendRows(db: Pool, watchers: readonly Watcher[]): Promise<number> {
  const rows = watchers.flatMap(({ userId }) => locationIds.map((locationId) => ({ userId, locationId })))
  const extended = await db.query(sql`
    update activity a
    set last_seen_at = greatest(a.last_seen_at, ${new Date()}::timestamptz)
    from unnest(${rows.map(({ userId }) => String(userId))}::int[],
                ${rows.map(({ locationId }) => String(locationId))}::bigint[]) as v (user_id, location_id)
    where a.event_type = 2 and a.logout_at is null
      and a.user_id = v.user_id and a.location_id = v.location_id and a.ip = ${IP}
    returning a.user_id, a.location_id, a.ip`)
  return extended.length / STATIONS
}

const closeRows = (db: Pool, { userId }: Watcher) =>
  db.execute(sql`
  update activity set logout_at = now() where user_id = ${userId} and event_type = 2 and logout_at is null`)
