import type { Database } from './database.ts'
import { deleteInBatches } from './delete-batches.ts'
import { sql } from './statement.ts'

/** A live-list visit ends after this time without a poll. */
export const VISIT_TIMEOUT_MS = 60_000

/** A visit of a user to the live list of a station, from one address (event type 2). */
export type Visit = { userId: number; locationId: number; ip: string }

const columnsOf = (visits: readonly Visit[]) => sql`
  ${visits.map(({ userId }) => String(userId))}::int[],
  ${visits.map(({ locationId }) => String(locationId))}::bigint[],
  ${visits.map(({ ip }) => ip)}::text[]`

/** Opens visits, or extends open ones; unknown stations are ignored. */
export const openVisits = (db: Database, visits: readonly Visit[], now: Date) =>
  db.execute(sql`
  insert into activity (user_id, event_type, location_id, login_at, last_seen_at, created_at, ip)
  select v.user_id, 2, l.id, ${now}::timestamptz, ${now}::timestamptz, ${now}::timestamptz, v.ip
  from unnest(${columnsOf(visits)}) as v (user_id, location_id, ip)
  join location l on l.id = v.location_id
  order by 1, 3, 7
  on conflict (user_id, location_id, ip) where event_type = 2 and logout_at is null
  do update set last_seen_at = greatest(activity.last_seen_at, excluded.last_seen_at)`)

/** Extends visits; returns those still open. Closed ones stay closed. */
export const extendVisits = (db: Database, visits: readonly (Visit & { seenAt: Date })[]) =>
  db.query<Visit>(sql`
  update activity a
  set last_seen_at = greatest(a.last_seen_at, v.seen_at)
  from unnest(${columnsOf(visits)}, ${visits.map(({ seenAt }) => seenAt.toISOString())}::timestamptz[])
       as v (user_id, location_id, ip, seen_at)
  where a.event_type = 2 and a.logout_at is null
    and a.user_id = v.user_id and a.location_id = v.location_id and a.ip = v.ip
  returning a.user_id as "userId", a.location_id as "locationId", a.ip`)

/** Closes all open visits of a user, as on logout. */
export const closeVisits = (db: Database, userId: number, now: Date) =>
  db.execute(sql`
  update activity set logout_at = ${now}::timestamptz where user_id = ${userId} and event_type = 2 and logout_at is null`)

/** Closes visits without polls, at the time they were last seen. */
export async function closeIdleVisits(db: Database, now: Date): Promise<void> {
  await db.execute(sql`
    update activity set logout_at = last_seen_at
    where event_type = 2 and logout_at is null and last_seen_at < ${new Date(now.getTime() - VISIT_TIMEOUT_MS)}::timestamptz`)
}

type SignActivity = { userId: number; signId: number; locationId: number; ip: string | null; variant: string | null }

/** Inserts the activity of an enabled sign (event type 3), until `closeActivity`. Returns its id. */
export async function openSignActivity(
  db: Database,
  { userId, signId, locationId, ip, variant }: SignActivity,
  now: Date,
): Promise<number> {
  const [row] = await db.query<{ id: number }>(sql`
    insert into activity (user_id, event_type, vms_id, location_id, login_at, created_at, ip, variant)
    values (${userId}, 3, ${signId}, ${locationId}, ${now}::timestamptz, ${now}::timestamptz, ${ip}, ${variant})
    returning id`)
  return row?.id as number
}

/** Ends an activity that is open. */
export const closeActivity = (db: Database, id: number, now: Date) =>
  db.execute(sql`update activity set logout_at = ${now}::timestamptz where id = ${id} and logout_at is null`)

/** Deletes activity that started and ended before that time; open activity is kept. */
export const deleteActivityBefore = (db: Database, before: Date): Promise<void> =>
  deleteInBatches((limit) =>
    db.execute(sql`
      delete from activity where id in (
        select id from activity where created_at < ${before}::timestamptz and logout_at < ${before}::timestamptz order by created_at, id
        limit ${limit})`),
  )
