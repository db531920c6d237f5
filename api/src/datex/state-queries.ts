import type { Database } from '../core/database.ts'
import { sql } from '../core/statement.ts'

/** Identifies a document of a client of DATEX II; `selection` and `digest` are SHA-256. */
export type StateKey = { publication: string; holder: number; selection: Buffer }
type State = { digest: Buffer; modifiedAt: Date; seenAt: Date }

export const findState = async (db: Database, key: StateKey): Promise<State | undefined> =>
  (
    await db.prepared<State>(sql`
      select digest, modified_at as "modifiedAt", seen_at as "seenAt"
      from datex_state
      where publication = ${key.publication} and holder = ${key.holder} and selection = ${key.selection}`)
  )[0]

/**
 * Stores a digest and returns when the document was modified: `second`, or a second after the time before, if it differs
 * from the stored one.
 */
export async function storeState(
  db: Database,
  { publication, holder, selection }: StateKey,
  { digest, second, now }: { digest: Buffer; second: Date; now: Date },
): Promise<Date> {
  const [stored] = await db.prepared<{ modifiedAt: Date }>(sql`
    insert into datex_state as s (publication, holder, selection, digest, modified_at, seen_at)
    values (${publication}, ${holder}, ${selection}, ${digest}, ${second}::timestamptz, ${now}::timestamptz)
    on conflict (publication, holder, selection) do update set
      modified_at = case when s.digest = excluded.digest then s.modified_at
                         else greatest(excluded.modified_at, s.modified_at + interval '1 second') end,
      digest = excluded.digest,
      seen_at = excluded.seen_at
    returning modified_at as "modifiedAt"`)
  return (stored as { modifiedAt: Date }).modifiedAt
}

/** Deletes all but the newest selections of a client. */
export const deleteSurplusStates = (
  db: Database,
  { publication, holder }: Pick<StateKey, 'publication' | 'holder'>,
  max: number,
) =>
  db.execute(sql`
    delete from datex_state
    where publication = ${publication} and holder = ${holder} and selection in (
      select selection
      from datex_state
      where publication = ${publication} and holder = ${holder}
      order by seen_at desc, modified_at desc
      offset ${max}
    )`)

/** Deletes the state of clients that were last seen before a time. */
export const deleteStatesBefore = (db: Database, before: Date) =>
  db.execute(sql`delete from datex_state where seen_at < ${before}::timestamptz`)
