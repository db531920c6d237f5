import { randomBytes } from 'node:crypto'
import type { Database } from './database.ts'
import { sql } from './statement.ts'

/** Of a search: where it opens, and its 128 bits. */
export type SearchKey = { page: string; id: Buffer }

type StoredSearch = { ownerId: number; filters: Buffer; expiresAt: Date }

/** Inserts a search, or prolongs the same one of its owner, whose filters stay. Undefined: the id is someone else's. */
export const saveSearch = async (
  db: Database,
  { page, id }: SearchKey,
  { ownerId, filters, expiresAt }: StoredSearch,
): Promise<Pick<StoredSearch, 'filters'> | undefined> =>
  (
    await db.query<Pick<StoredSearch, 'filters'>>(sql`
    insert into plate_search as s (page, id, owner_id, filters, expires_at)
    values (${page}, ${id}, ${ownerId}, ${filters}, ${expiresAt})
    on conflict (page, id) do update set expires_at = excluded.expires_at where s.owner_id = excluded.owner_id
    returning filters`)
  )[0]

export const replaceFilters = (db: Database, { page, id }: SearchKey, filters: Buffer) =>
  db.query(sql`update plate_search set filters = ${filters} where page = ${page} and id = ${id}`)

export const findSearch = async (db: Database, { page, id }: SearchKey): Promise<StoredSearch | undefined> =>
  (
    await db.query<StoredSearch>(sql`
    select owner_id as "ownerId", filters, expires_at as "expiresAt" from plate_search
    where page = ${page} and id = ${id}`)
  )[0]

/** Deletes the searches that no longer open. */
export const deleteExpiredSearches = (db: Database, now: Date) =>
  db.query(sql`delete from plate_search where expires_at <= ${now}`)

const findSearchSecret = async (db: Database) =>
  (await db.query<{ secret: Buffer }>(sql`select secret from plate_search_key`))[0]?.secret

/** The key of saved searches without SECRET_KEY; created at the first call. */
export async function findOrCreateSearchSecret(db: Database): Promise<Buffer> {
  const found = await findSearchSecret(db)
  if (found) return found
  // Another process may create one at the same time.
  await db.execute(sql`insert into plate_search_key (secret) values (${randomBytes(32)}) on conflict do nothing`)
  return (await findSearchSecret(db)) as Buffer
}
