import type { Database } from '../core/database.ts'
import { identifier, join, raw, type Statement, sql } from '../core/statement.ts'

/** What nobody changes after it was inserted. */
export const SEALED_TABLES = ['audit', 'log_seal', 'passage_seal', 'evidence_anchor', 'evidence_check'] as const

/** Owns the sealed tables, their schema and the database; nobody signs in as it. One for all databases of a server. */
const OWNER = 'rogatka_seals'

const sealedTables = join(SEALED_TABLES.map((table) => identifier(`public.${table}`)))

/** The account of a connection, its database, and since when the server runs, which tells servers apart. */
export type Account = { name: string; database: string; since: Date; isSuperuser: boolean }

export async function accountOf(db: Database): Promise<Account> {
  const [account] = await db.query<Account>(sql`
    select current_user as name, current_database() as database, pg_postmaster_start_time() as since,
           rolsuper as "isSuperuser"
    from pg_roles where rolname = current_user`)
  return account as Account
}

/** Statements that leave the portal's account only to read and add what is sealed, in the transaction of an administrator. */
export const protect = ({ name, database }: Pick<Account, 'name' | 'database'>): Statement[] => {
  const [portal, owner] = [identifier(name), identifier(OWNER)]
  return [
    raw(`do $$ begin
      if not exists (select from pg_roles where rolname = '${OWNER}') then create role ${OWNER} nologin; end if;
    exception when duplicate_object or unique_violation then null; end $$`),
    // The owner of a schema may drop its tables, and that of a database the database.
    sql`alter database ${identifier(database)} owner to ${owner}`,
    sql`grant connect, create, temporary on database ${identifier(database)} to ${portal}`,
    sql`alter schema public owner to ${owner}`,
    sql`grant usage, create on schema public to ${portal}`,
    ...SEALED_TABLES.map((table) => sql`alter table ${identifier(`public.${table}`)} owner to ${owner}`),
    sql`revoke all on ${sealedTables} from ${portal}, public`,
    sql`grant select, insert on ${sealedTables} to ${portal}`,
    // When an anchor was copied.
    sql`grant update (copied_at) on public.evidence_anchor to ${portal}`,
  ]
}

/** Statements that give the sealed tables back, for migrations that change them. */
export const release = ({ name, database }: Pick<Account, 'name' | 'database'>): Statement[] => {
  const portal = identifier(name)
  return [
    sql`alter database ${identifier(database)} owner to ${portal}`,
    sql`alter schema public owner to pg_database_owner`,
    ...SEALED_TABLES.map((table) => sql`alter table if exists ${identifier(`public.${table}`)} owner to ${portal}`),
  ]
}

/** What an account may still do to sealed tables beside reading and adding, and its roles that permit it. */
export const excessOf = (db: Database, name: string) =>
  db.query<{ excess: string }>(sql`
  select format('%s on %s', lower(privilege), relation) as excess
  from unnest(${[...SEALED_TABLES]}::text[]) as t (relation)
  cross join unnest(array['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']) as p (privilege)
  where has_table_privilege(${name}, format('public.%I', relation), privilege)
  union all
  select format('member of %s', rolname)
  from pg_roles
  where rolname in (${OWNER}, 'pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program')
    and pg_has_role(${name}, oid, 'MEMBER')`)
