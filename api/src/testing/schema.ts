import type { Database } from '../core/database.ts'
import { raw } from '../core/statement.ts'

/** Schemas of the portal and of its job queue. */
const SCHEMAS = `('public', 'graphile_worker')`

/** Each yields one line of text per object. Names of partitions are in `describeSchema`. */
const QUERIES = [
  // Columns, in their order.
  `select format('column %s.%s %s: %s%s%s%s%s', c.oid::regclass,
                 row_number() over (partition by c.oid order by a.attnum), a.attname,
                 format_type(a.atttypid, a.atttypmod), ' ' || o.collname, case when a.attnotnull then ' not null' end,
                 ' default ' || pg_get_expr(d.adbin, d.adrelid), ' identity ' || nullif(a.attidentity::text, ''))
   from pg_attribute a
   join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'v', 'm', 'c')
   left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   left join pg_collation o on o.oid = a.attcollation and o.collname <> 'default'
   where a.attnum > 0 and not a.attisdropped and c.relnamespace in (select oid from pg_namespace where nspname in ${SCHEMAS})`,
  `select format('table %s: %s %s %s', oid::regclass, relkind, reloptions, pg_get_partkeydef(oid)) from pg_class
   where relkind in ('r', 'p', 'v', 'm') and relnamespace in (select oid from pg_namespace where nspname in ${SCHEMAS})`,
  `select format('constraint %s on %s: %s%s', conname, conrelid::regclass, pg_get_constraintdef(oid),
                 case when not convalidated then ' not validated' end)
   from pg_constraint where connamespace in (select oid from pg_namespace where nspname in ${SCHEMAS}) and conrelid > 0`,
  // An index of a partition has the name of the whole one, as its own depends on how it was built.
  `select format('index: %s%s%s',
                 replace(pg_get_indexdef(i.indexrelid), format(' %I ON ', c.relname),
                         format(' %s ON ', coalesce(h.inhparent::regclass::text, c.relname))),
                 case when not i.indisvalid then ' invalid' end, case when h.inhparent is not null then ' attached' end)
   from pg_index i
   join pg_class c on c.oid = i.indexrelid
   left join pg_inherits h on h.inhrelid = i.indexrelid
   where c.relnamespace in (select oid from pg_namespace where nspname in ${SCHEMAS})`,
  `select format('rule: %s', definition) from pg_rules where schemaname in ${SCHEMAS}`,
  `select format('view %s.%s: %s', schemaname, viewname, definition) from pg_views where schemaname in ${SCHEMAS}`,
  `select format('trigger on %s: %s', tgrelid::regclass, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal`,
  `select format('function %s: %s', p.oid::regprocedure, case when p.prokind in ('f', 'p') then pg_get_functiondef(p.oid) end)
   from pg_proc p
   where p.pronamespace in (select oid from pg_namespace where nspname in ${SCHEMAS})
     and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
  `select format('sequence %s: %s from %s by %s', seqrelid::regclass, seqtypid::regtype, seqstart, seqincrement)
   from pg_sequence
   join pg_class c on c.oid = seqrelid
   where c.relnamespace in (select oid from pg_namespace where nspname in ${SCHEMAS})`,
  `select format('type %s: %s', t.oid::regtype, (select array_agg(enumlabel order by enumsortorder) from pg_enum where enumtypid = t.oid))
   from pg_type t
   where t.typnamespace in (select oid from pg_namespace where nspname in ${SCHEMAS}) and t.typtype in ('e', 'd')`,
  `select format('extension %s', extname) from pg_extension`,
]

/**
 * One line for each column, index, constraint, default and other object, sorted. All partitions of a table count as
 * one, so that databases with different partitions are equal if all partitions have the same schema.
 */
export async function describeSchema(db: Database): Promise<string[]> {
  const lines = new Set<string>()
  for (const query of QUERIES)
    for (const [line] of await db.arrays<[string]>(raw(query)))
      lines.add(line.replaceAll(/(vehicle|vehicle_detail|vehicle_image)_\d{4}_\d{2}(_\d{2}_\d+)?/g, '$1_*'))
  return [...lines].sort()
}
