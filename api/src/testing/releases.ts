import { createHash } from 'node:crypto'
import { chmod, copyFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { connect, type Database } from '../core/database.ts'
import { migrate } from '../core/migrate.ts'
import { MIGRATIONS } from '../core/schema-version.ts'
import { newToken } from '../core/sessions.ts'
import { raw, sql } from '../core/statement.ts'
import { cloneDatabase, dropDatabase } from './databases.ts'

/** A released schema: all migrations up to `last`, with the checksum of their statements. */
export type Release = {
  version: string
  last: string
  checksum: string
  /** Columns (`table.column`) that this release could not write. */
  unwritten: string[]
}

/** One for each release, with its rows and files in `releases/{version}` (docs/releasing.md). */
export const RELEASES: Release[] = [
  {
    version: '0.1.0',
    last: '0053-learn-the-usual-traffic',
    checksum: 'a82ca3a80a177cd36a91ad9c6a64efc92d905b6846406a9573e4c6310e6f6fd8',
    unwritten: ['app_user.organization'],
  },
  {
    version: '0.2.0',
    last: '0068-keep-the-plate-of-the-entry-with-its-hits',
    checksum: 'abad2a0c4595d0d3643808bdf9e6ffd9b944667e58c92c6e6ff33b9f55b93d41',
    unwritten: [],
  },
]

const folderOf = ({ version }: Release) => join(import.meta.dirname, 'releases', version)

const migrationsUpTo = async (last: string): Promise<string[]> =>
  (await readdir(MIGRATIONS)).filter((file) => file <= `${last}.sql`).sort()

/** SHA-256 of the statements of all migrations up to one; comments and white space may change. */
export async function checksumUpTo(last: string): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await migrationsUpTo(last)) {
    const content = await readFile(join(MIGRATIONS, file), 'utf8')
    hash.update(content.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim())
  }
  return hash.digest('hex')
}

export type OwnDatabase = { name: string; url: string; drop: () => Promise<void> }

/** Creates a database: empty, or a copy of another one to which nobody is connected. */
export async function createDatabase(template = 'template0'): Promise<OwnDatabase> {
  const name = `release_${newToken().slice(0, 12).replaceAll('-', '_').toLowerCase()}`
  return { name, url: await cloneDatabase(name, template), drop: () => dropDatabase(name) }
}

/** Creates a database as a release left it: with its schema and its rows. */
export async function restoreRelease(release: Release): Promise<OwnDatabase> {
  const database = await createDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-release-'))
  for (const file of await migrationsUpTo(release.last)) await copyFile(join(MIGRATIONS, file), join(folder, file))
  await migrate(database.url, undefined, folder)
  await rm(folder, { recursive: true })
  await insertRows(database, await readFile(join(folderOf(release), 'rows.sql'), 'utf8'))
  return database
}

export async function insertRows({ url }: OwnDatabase, rows: string): Promise<void> {
  const db = connect(url, 1)
  await db.query(raw(rows))
  await advanceSequences(db)
  await db.end()
}

/** Writes the rows of a new release, with the files of the one before it (docs/releasing.md). */
export async function writeRelease(version: string, rows: string, previous: Release): Promise<void> {
  const folder = join(import.meta.dirname, 'releases', version)
  await cp(join(folderOf(previous), 'files'), join(folder, 'files'), { recursive: true })
  await writeFile(join(folder, 'rows.sql'), rows)
}

/** Copies the data folder of a release; removed when the test ends. */
export async function restoreFiles(release: Release): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rogatka-release-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(join(folderOf(release), 'files'), join(folder, 'files'), { recursive: true })
  await chmod(join(folder, 'files'), 0o755)
  return folder
}

/** The rows have ids of their own, so sequences continue after the highest one. */
async function advanceSequences(db: Database): Promise<void> {
  const columns = await db.query<{ table: string; column: string }>(sql`
    select attrelid::regclass::text as "table", attname as "column"
    from pg_attribute
    join pg_class on pg_class.oid = attrelid
    where attidentity <> '' and relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`)
  for (const { table, column } of columns)
    await db.query(
      raw(`
      select setval(pg_get_serial_sequence('${table}', '${column}'), max(${column})) from ${table} having max(${column}) is not null`),
    )
}

// biome-ignore lint/suspicious/noExplicitAny: values are those of the columns, as JSON
export type Row = Record<string, any>
/** Rows of all tables of the portal by table, in the order of their primary key. */
export type Rows = Record<string, Row[]>

/** Reads all rows with their values as JSON: times in ISO 8601 (UTC), bytes as `\x…`. Partitions belong to their table. */
export async function readRows(db: Database): Promise<Rows> {
  const tables = await db.query<{ table: string; key: string }>(sql`
    select c.relname as "table", coalesce(string_agg(quote_ident(a.attname), ', ' order by k.position), '1') as key
    from pg_class c
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
    left join lateral unnest(i.indkey) with ordinality k(number, position) on true
    left join pg_attribute a on a.attrelid = c.oid and a.attnum = k.number
    where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migration'
      and c.relnamespace = 'public'::regnamespace
    group by c.relname order by c.relname`)
  const rows: Rows = {}
  await db.query(raw(`set time zone 'UTC'`))
  for (const { table, key } of tables)
    rows[table] = (
      await db.query<{ row: Row }>(raw(`select to_jsonb(t) as row from "${table}" t order by ${key}`))
    ).map(({ row }) => row)
  return rows
}

/** Names of the columns without any value, as `table.column`; tables without rows by their name alone. */
export function emptyColumns(rows: Rows): string[] {
  return Object.entries(rows).flatMap(([table, all]) => {
    const [first] = all
    if (!first) return [table]
    return Object.keys(first)
      .filter((column) => all.every((row) => row[column] === null))
      .map((column) => `${table}.${column}`)
  })
}

/** What a table had before and lacks after, and the reverse, in the columns of before; by table, without equal ones. */
export function changedRows(before: Rows, after: Rows): Record<string, { removed: Row[]; added: Row[] }> {
  const changes = Object.entries(before).map(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {})
    const kept = (after[table] ?? []).map((row) => Object.fromEntries(columns.map((column) => [column, row[column]])))
    const lacking = (some: Row[], others: Row[]) => {
      const texts = new Set(others.map((row) => JSON.stringify(row)))
      return some.filter((row) => !texts.has(JSON.stringify(row)))
    }
    return [table, { removed: lacking(rows, kept), added: lacking(kept, rows) }] as const
  })
  return Object.fromEntries(changes.filter(([, { removed, added }]) => removed.length + added.length > 0))
}
