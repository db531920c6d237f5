import { HOUR_MS } from '@rogatka/domain/core/time.ts'
import type { Database, Pool } from './database.ts'
import { sql } from './statement.ts'

/** A user has left a station of the live list after this time without a poll. */
export const VISIT_TIMEOUT_MS = 60_000
/** A process that has not synchronised its visits for this time may have died: others continue them. */
const PROCESS_TIMEOUT_MS = 30_000
/** A process that is unlisted for this time is not expected back. */
const PROCESS_RETENTION_MS = HOUR_MS

const before = (now: Date, ms: number) => new Date(now.getTime() - ms)

/** A session at one address that polls the live list. `session`: token hash in base64. */
export type Watcher = { userId: number; session: string; ip: string }

/** Stations that a watcher opened together and has not all left (event type 2 of the activity history). */
export type OpenVisit = Pick<Watcher, 'session' | 'ip'> & {
  id: number
  loginAt: Date
  /** Null if the caller knows the visit: its stations never change. */
  locationIds: number[] | null
  /** The last poll of each station that is not polled any more; null: all are. */
  leftAt: (Date | null)[] | null
  /** Who records its polls. */
  process: string
  /** That process has not synchronised for a while. */
  isOrphaned: boolean
}

/**
 * Opens a visit to those stations that the watcher has not opened yet. Unknown stations are ignored, and all if the
 * session has ended. Returns whether one of the stations was about to be left.
 */
export const openVisit = (
  db: Pool,
  { userId, session, ip }: Watcher,
  locationIds: readonly number[],
  process: string,
  now: Date,
): Promise<boolean> =>
  db.transaction(async (db) => {
    // Several processes may see the polls of a session at the same moment: one visit all the same.
    const locked = await db.query(sql`
      select 1 from session where token_hash = decode(${session}, 'base64') for no key update`)
    if (locked.length === 0) return false
    const [row] = await db.query<{ isLeaving: boolean }>(sql`
      with open as (
        select l.location_id, l.left_at
        from live_visit v cross join lateral unnest(v.location_ids, v.left_at) as l (location_id, left_at)
        where v.token_hash = decode(${session}, 'base64') and v.logout_at is null and v.ip = ${ip}
          and (l.left_at is null or l.left_at >= ${before(now, VISIT_TIMEOUT_MS)}::timestamptz)
      ), opened as (
        insert into live_visit (user_id, ip, token_hash, location_ids, login_at, process)
        select ${userId}, ${ip}, decode(${session}, 'base64'), array_agg(l.id order by l.id), ${now}::timestamptz,
               ${process}::uuid
        from location l
        where l.id = any(${locationIds.map(String)}::bigint[]) and l.id not in (select location_id from open)
        having count(*) > 0
      )
      select coalesce(bool_or(left_at is not null), false) as "isLeaving"
      from open where location_id = any(${locationIds.map(String)}::bigint[])`)
    return row?.isLeaving === true
  })

/**
 * Lists this process as alive. Returns the open visits that it records, and those of these sessions. `known`: ids of
 * visits whose stations are not needed.
 */
export const syncProcess = (
  db: Database,
  process: string,
  { sessions, known }: { sessions: readonly string[]; known: readonly number[] },
  now: Date,
) =>
  db.query<OpenVisit>(sql`
  with alive as (
    insert into live_process (id, seen_at) values (${process}::uuid, ${now}::timestamptz)
    on conflict (id) do update set seen_at = excluded.seen_at
  )
  select v.id, encode(v.token_hash, 'base64') as session, v.ip, v.login_at as "loginAt", v.left_at as "leftAt", v.process,
         case when k.id is null then v.location_ids end as "locationIds",
         greatest(v.login_at, p.seen_at) < ${before(now, PROCESS_TIMEOUT_MS)}::timestamptz as "isOrphaned"
  from live_visit v
  left join live_process p on p.id = v.process
  left join unnest(${known.map(String)}::bigint[]) as k (id) on k.id = v.id
  where v.logout_at is null
    and (v.process = ${process}::uuid
         or v.token_hash in (select decode(s, 'base64') from unnest(${sessions}::text[]) s))`)

/** Writes which stations are being left. Skips visits that ended, or that another process took over, since they were read. */
export const updateVisits = (
  db: Database,
  process: string,
  visits: readonly Pick<OpenVisit, 'id' | 'leftAt' | 'process'>[],
) =>
  db.execute(sql`
  update live_visit v
  set left_at = c.left_at::timestamptz[], process = ${process}::uuid
  from unnest(${visits.map(({ id }) => String(id))}::bigint[],
              ${visits.map(({ leftAt }) => leftAt && arrayText(leftAt))}::text[],
              ${visits.map((visit) => visit.process)}::uuid[]) as c (id, left_at, process)
  where v.id = c.id and v.logout_at is null and v.process = c.process`)

/** An array in an array parameter, whose elements PostgreSQL cannot distinguish from its own. */
const arrayText = (times: readonly (Date | null)[]) =>
  `{${times.map((time) => time?.toISOString() ?? 'null').join(',')}}`

/** Unlists a process that stops. */
export const deleteProcess = (db: Database, process: string) =>
  db.execute(sql`delete from live_process where id = ${process}::uuid`)

/** Closes the visits of a session, as on logout. `tokenHash`: of the session. */
export const closeVisits = (db: Database, tokenHash: Buffer, now: Date) =>
  db.execute(sql`
  update live_visit set logout_at = greatest(login_at, ${now}::timestamptz), token_hash = null
  where token_hash = ${tokenHash} and logout_at is null`)

/** Closes visits without polls, at the last one. */
export async function closeIdleVisits(db: Database, now: Date): Promise<void> {
  const idleSince = before(now, VISIT_TIMEOUT_MS)
  await db.execute(sql`
    with ended as (
      select id, min(t) as first_left, max(t) as last_left
      from live_visit cross join lateral unnest(left_at) t
      where logout_at is null and left_at is not null and array_position(left_at, null) is null
      group by id
      having max(t) < ${idleSince}::timestamptz
    )
    update live_visit v
    set logout_at = last_left, left_at = case when first_left < last_left then v.left_at end, token_hash = null
    from ended where v.id = ended.id and v.logout_at is null`)
  // The polls that a process recorded before it died are known by its session only.
  await db.execute(sql`
    with orphaned as (
      select v.id, v.process, greatest(v.login_at, least(p.seen_at, s.last_seen_at)) as last_seen_at
      from live_visit v
      left join live_process p on p.id = v.process
      left join session s on s.token_hash = v.token_hash
      where v.logout_at is null and (v.left_at is null or array_position(v.left_at, null) is not null)
        and greatest(v.login_at, p.seen_at) < ${idleSince}::timestamptz
    )
    update live_visit v set logout_at = o.last_seen_at, token_hash = null
    from orphaned o where v.id = o.id and v.process = o.process and v.logout_at is null`)
  await db.execute(sql`
    delete from live_process where seen_at < ${before(now, PROCESS_RETENTION_MS)}::timestamptz`)
  // Of processes of 0.2.0 and older.
  await db.execute(sql`
    update activity set logout_at = last_seen_at
    where event_type = 2 and logout_at is null and last_seen_at < ${idleSince}::timestamptz`)
}
