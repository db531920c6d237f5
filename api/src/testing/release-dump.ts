import type { Database } from '../core/database.ts'
import { raw } from '../core/statement.ts'

/** Types whose values need no quotes. */
const PLAIN = ['smallint', 'integer', 'bigint', 'real', 'double precision', 'boolean']
/** Ids of transactions belong to the database: those of the dump become old ones, or that of the restoring transaction. */
const TRANSACTION = `'pg_current_xact_id()::text::bigint'`
const OF_TRANSACTION: Record<string, string> = {
  'archive_progress.through': TRANSACTION,
  'arrival.written_by': `case when written_by < (select through from archive_progress) then '1' else ${TRANSACTION} end`,
}

type Column = { name: string; type: string; isKey: boolean }
type Table = { name: string; columns: Column[] }

/**
 * All rows of a database as SQL for an empty database of the same schema, with partitions and waiting jobs.
 * @param seeded tables into which migrations insert rows
 */
export async function dumpRows(db: Database, seeded: string[]): Promise<string> {
  await db.query(raw(`set time zone 'UTC'`))
  const tables = await db.query<Table>(
    raw(`
      select c.relname as name, json_agg(json_build_object(
        'name', a.attname, 'type', format_type(a.atttypid, null), 'isKey', coalesce(a.attnum = any(i.indkey), false)
      ) order by a.attnum) as columns
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_index i on i.indrelid = c.oid and i.indisprimary
      where c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migration'
        and c.relnamespace = 'public'::regnamespace
      group by c.oid, c.relname order by c.oid`),
  )
  const parts = [await partitions(db)]
  for (const table of tables) {
    if (seeded.includes(table.name)) parts.push(`delete from ${table.name};`)
    parts.push(await inserts(db, table))
  }
  const jobs = await db.arrays<[string]>(
    raw(`
      select format('select graphile_worker.add_job(%L, %L, job_key => %L);', t.identifier, j.payload, j.key)
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id order by j.id`),
  )
  parts.push(jobs.map(([job]) => job).join('\n'))
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

async function inserts(db: Database, { name, columns }: Table): Promise<string> {
  const values = columns.map(({ name: column, type }) => {
    const ofTransaction = OF_TRANSACTION[`${name}.${column}`]
    if (ofTransaction) return ofTransaction
    return PLAIN.includes(type) ? `coalesce("${column}"::text, 'null')` : `quote_nullable("${column}"::text)`
  })
  const key = columns.filter(({ isKey }) => isKey).map(({ name: column }) => `"${column}"`)
  const rows = await db.arrays<[string]>(
    raw(`select concat_ws(', ', ${values.join(', ')}) from "${name}" order by ${key.join(', ') || 1}`),
  )
  if (rows.length === 0) return ''
  const names = columns.map(({ name: column }) => column).join(', ')
  return `insert into ${name} (${names}) overriding system value values\n${rows.map(([row]) => `  (${row})`).join(',\n')};`
}

/** Statements that create the partitions, except the first of the hourly roll-up, which its migration creates. */
async function partitions(db: Database): Promise<string> {
  const created = await db.arrays<[string]>(
    raw(`
      select format(E'create table %1$s (like %2$s including all)%4$s;\nalter table %2$s attach partition %1$s %3$s;',
                    c.oid::regclass, i.inhparent::regclass, pg_get_expr(c.relpartbound, c.oid),
                    E'\n  with (' || array_to_string(c.reloptions, ', ') || ')')
      from pg_class c
      join pg_inherits i on i.inhrelid = c.oid
      where c.relispartition and c.relkind = 'r' and c.relname not like 'traffic\\_hour\\_1970%' order by c.relname`),
  )
  return created.map(([statements]) => statements).join('\n')
}
