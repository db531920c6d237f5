import type { Database } from '../core/database.ts'
import { identifier, join, raw, type Statement, sql } from '../core/statement.ts'

/** Tables whose rows are never changed after they were inserted. */
export const SEALED_TABLES = [
  'access_trail',
  'access_visit_end',
  'audit',
  'evidence_anchor',
  'evidence_check',
  'log_seal',
  'passage_seal',
] as const

/** Numbers the lines of the trail. */
const SEQUENCE = identifier('public.access_trail_id')

/** Create and drop partitions of the trail with the rights of their owner. */
const FUNCTIONS = ['create_trail_partition', 'drop_trail_partition'].map(
  (name) => sql`${identifier(`public.${name}`)}(text, date)`,
)

/** Owns the sealed tables, their schema and the database; nobody signs in as it. One for all databases of a server. */
const OWNER = 'rogatka_seals'

const sealedTables = join(SEALED_TABLES.map((table) => identifier(`public.${table}`)))

/** The account of a connection, its database, and since when the server runs, which tells servers apart. */
export type Account = { name: string; database: string; since: Date; isSuperuser: boolean }

export async function findAccount(db: Database): Promise<Account> {
  const [account] = await db.query<Account>(sql`
    select current_user as name, current_database() as database, pg_postmaster_start_time() as since,
           rolsuper as "isSuperuser"
    from pg_roles where rolname = current_user`)
  return account as Account
}

/** The partitions of sealed tables, with their schema. */
export const sealedPartitions = async (db: Database): Promise<string[]> =>
  (
    await db.query<{ name: string }>(sql`
    select format('%s.%s', n.nspname, c.relname) as name
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid and c.relkind = 'r'
    join pg_namespace n on n.oid = c.relnamespace
    where i.inhparent in (select to_regclass('public.' || t) from unnest(${[...SEALED_TABLES]}::text[]) t)`)
  ).map(({ name }) => name)

const ownedBy = (tables: readonly string[], owner: Statement): Statement[] => [
  ...tables.map((table) => sql`alter table if exists ${identifier(table)} owner to ${owner}`),
  sql`alter sequence if exists ${SEQUENCE} owner to ${owner}`,
  ...FUNCTIONS.map((one) => sql`alter function ${one} owner to ${owner}`),
]

/**
 * Statements that restrict the portal's account to reading and adding sealed rows, in the transaction of an administrator.
 * `partitions`: those of the sealed tables.
 */
export const protect = (
  { name, database }: Pick<Account, 'name' | 'database'>,
  partitions: readonly string[],
): Statement[] => {
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
    ...ownedBy([...SEALED_TABLES.map((table) => `public.${table}`), ...partitions], owner),
    sql`revoke all on ${join([sealedTables, ...partitions.map(identifier)])} from ${portal}, public`,
    sql`grant select, insert on ${sealedTables} to ${portal}`,
    sql`revoke all on sequence ${SEQUENCE} from ${portal}, public`,
    sql`grant usage on sequence ${SEQUENCE} to ${portal}`,
    // A dump by the account reads partitions, also later ones, and sequences.
    ...partitions.map((one) => sql`grant select on ${identifier(one)} to ${portal}`),
    sql`alter default privileges for role ${owner} in schema public grant select on tables to ${portal}`,
    sql`grant select on all sequences in schema public to ${portal}`,
    sql`revoke all on function ${join(FUNCTIONS)} from public`,
    sql`grant execute on function ${join(FUNCTIONS)} to ${portal}`,
    // When an anchor and its time stamp were copied.
    sql`grant update (copied_at, stamp_copied_at) on public.evidence_anchor to ${portal}`,
  ]
}

/** Statements that give the sealed tables back, for migrations that change them. */
export const release = (
  { name, database }: Pick<Account, 'name' | 'database'>,
  partitions: readonly string[],
): Statement[] => {
  const portal = identifier(name)
  return [
    sql`alter database ${identifier(database)} owner to ${portal}`,
    sql`alter schema public owner to pg_database_owner`,
    ...ownedBy([...SEALED_TABLES.map((table) => `public.${table}`), ...partitions], portal),
    sql`alter default privileges for role ${identifier(OWNER)} in schema public revoke select on tables from ${portal}`,
  ]
}

/** What an account may still do to sealed tables beside reading and adding, and its roles that permit it. */
export const listExcessRights = (db: Database, name: string, partitions: readonly string[]) =>
  db.query<{ excess: string }>(sql`
  select format('%s on %s', lower(privilege), relation) as excess
  from (
    select 'public.' || t as relation from unnest(${[...SEALED_TABLES]}::text[]) as t
    union all select unnest(${[...partitions]}::text[])
  ) as t
  cross join unnest(array['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER', 'REFERENCES']) as p (privilege)
  where has_table_privilege(${name}, relation, privilege)
  union all
  select format('member of %s', rolname)
  from pg_roles
  where rolname in (${OWNER}, 'pg_write_all_data', 'pg_write_server_files', 'pg_execute_server_program')
    and pg_has_role(${name}, oid, 'MEMBER')`)
