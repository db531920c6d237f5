import type { Database } from './database.ts'
import { deleteInBatches } from './delete-batches.ts'
import { sql } from './statement.ts'

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

/** Deletes activity and visits that started and ended before that time; open ones are kept. */
export async function deleteActivityBefore(db: Database, before: Date): Promise<void> {
  await deleteInBatches((limit) =>
    db.execute(sql`
      delete from activity where id in (
        select id from activity where created_at < ${before}::timestamptz and logout_at < ${before}::timestamptz order by created_at, id
        limit ${limit})`),
  )
  await deleteInBatches((limit) =>
    db.execute(sql`
      delete from live_visit where id in (
        select id from live_visit where login_at < ${before}::timestamptz and logout_at < ${before}::timestamptz order by login_at, id
        limit ${limit})`),
  )
}
