import type { MigrationBuilder } from 'node-pg-migrate'

/** `definition`: from the columns on, `(a, b) where …`. */
type IndexBuild = { name: string; table: string; definition: string; unique: string }

const CONCURRENT_INDEX =
  /^create (?<unique>unique )?index concurrently (?<name>[a-z_0-9]+) on (?<table>[a-z_0-9]+) (?<definition>[^;]+);?$/

/** The statement of a migration that consists of one `create index concurrently`; undefined for other migrations. */
export function parseIndexBuild(migration: string): IndexBuild | undefined {
  const statement = migration.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim()
  const { unique = '', name, table, definition } = CONCURRENT_INDEX.exec(statement)?.groups ?? {}
  return name && table && definition ? { name, table, definition, unique } : undefined
}

/**
 * Builds an index concurrently with writes. On a partitioned table, for which PostgreSQL cannot do this, one partition
 * after the other, including those added meanwhile. Continues an interrupted build.
 */
export async function buildIndex(
  db: MigrationBuilder['db'],
  { name, table, definition, unique }: IndexBuild,
  lockTimeoutMs: number,
): Promise<void> {
  await db.query('set statement_timeout = 0')
  // These wait for all transactions that use the table, but block none.
  const rebuild = async (index: string, on: string) => {
    await db.query('set lock_timeout = 0')
    await db.query(`drop index concurrently if exists "${index}"`)
    await db.query(`create ${unique}index concurrently "${index}" on "${on}" ${definition}`)
  }
  const brieflyLocking = async (statement: string) => {
    await db.query(`set lock_timeout = ${lockTimeoutMs}`)
    await db.query(statement)
  }
  const [existing] = await db.select(`
    select c.relkind = 'p' as "isPartitioned", coalesce(i.indisvalid, false) as "isValid"
    from pg_class c
    left join pg_index i on i.indexrelid = to_regclass('"${name}"')
    where c.oid = '"${table}"'::regclass`)
  if (!existing.isPartitioned) return existing.isValid ? undefined : rebuild(name, table)

  await brieflyLocking(`create ${unique}index if not exists "${name}" on only "${table}" ${definition}`)
  for (;;) {
    const [missing] = await db.select(`
      select p.relname as partition
      from pg_inherits h
      join pg_class p on p.oid = h.inhrelid
      where h.inhparent = '"${table}"'::regclass and not h.inhdetachpending and not exists (
        select from pg_index i
        join pg_inherits a on a.inhrelid = i.indexrelid and a.inhparent = '"${name}"'::regclass
        where i.indrelid = p.oid)
      order by 1 limit 1`)
    if (!missing) return
    const index = `${name}${missing.partition.slice(table.length)}`
    await rebuild(index, missing.partition)
    await brieflyLocking(`alter index "${name}" attach partition "${index}"`)
  }
}
