import { expect, test } from 'vitest'
import { BIG_TABLES, migrationViolations } from './migrations.ts'
import { filesBelow, textOf } from './tree.ts'

const violations = (migration: string) => migrationViolations(migration, ['0.1.0', '0.2.0'])

test.each([
  // New tables and columns are not in use.
  'create table fine (id int primary key); create index fine_by_id on fine (id); insert into fine values (1);',
  'create table fine (role_id int references role); alter table fine add unique (role_id), alter role_id set not null;',
  'alter table vehicle add column weather smallint, add smooth boolean not null default false;',
  "alter table activity add column text text not null default 'a, (b', add at timestamptz default now();",
  'alter table role add column a int references ticket, add constraint b check (a > 0);',
  'alter table vehicle add constraint has_axles check (number_of_axles > 1) not valid;',
  'alter table vehicle validate constraint has_axles;',
  "alter table outbox set (fillfactor = 70), alter column kind set default 'mail', alter recipient drop not null;",
  'create index concurrently tag_by_type on tag (type) where private;',
  'create unique index concurrently tag_by_type on tag (type);',
  'create index role_by_text on role (description);',
  'alter table tag add constraint tag_once unique using index tag_by_type;',
  "-- Half a million roles.\nset local statement_timeout = '2min'; update role set description = 'drop table role; --';",
  '-- Unused since 0.2.0: the column\nalter table vehicle drop column shape, drop constraint has_axles;',
  '-- Unused since 0.1.0: all of it\ndrop table role;\n-- Unused since 0.2.0: its name\nalter table ticket rename sign to vms;',
  '-- Unused since 0.2.0: as text\nalter table ticket alter column sign type varchar(20);',
  "do $$ begin execute format('alter table tag add constraint a check (type < %L) not valid', 'create'); end $$;",
  `do $$
  begin
    execute format('alter table tag rename to %I', 'tag_1');
    execute format('alter index tag_pkey rename to %I', 'tag_1_pkey');
    execute format('create table tag (like %I) partition by range (type)', 'tag_1');
    execute format('alter table tag attach partition %I for values from (%L) to (%L)', 'tag_1', 1, 2);
  end $$;`,
  "create function fine() returns int language sql as $a$ select 1; drop table role $a$; comment on table role is 'a';",
])('allows %s', (migration) => {
  expect(violations(migration)).toEqual([])
})

test.each([
  ['alter table role drop column description', 'previous version'],
  ['alter table role drop description', 'previous version'],
  ['alter table only role\n  add column a int,\n  drop column description', 'previous version'],
  ['-- Unused since 0.3.0: the column\nalter table role drop column description', 'previous version'],
  ['-- Unused since 0.2.0:\nalter table role drop column description', 'previous version'],
  ['-- Unused since 0.2.0: the table\ndrop table role;\ndrop table tag', 'previous version'],
  ['ALTER TABLE role RENAME TO roles', 'previous version'],
  ['alter table role rename description to text', 'previous version'],
  ['alter index role_pkey rename to role_key', 'previous version'],
  ['alter table role alter description type varchar(9)', 'previous version'],
  ['alter table role alter column description set data type varchar(9)', 'previous version'],
  ['alter table role alter description set not null', 'previous version'],
  ['alter table role alter column version drop default', 'previous version'],
  ['drop index tag_of_user', 'previous version'],
  ['drop rule audit_is_never_updated on audit', 'previous version'],
  ['alter table role add column text text not null', 'inserts'],
  ['create index vehicle_by_axles on vehicle (number_of_axles)', 'concurrently'],
  ['create unique index if not exists tag_by_type on tag (type)', 'concurrently'],
  ['create table a (id int); create index concurrently b on tag (type)', 'only statement'],
  ['alter table tag add constraint has_type check (type > 0)', 'not valid'],
  ['alter table tag add foreign key (location_id) references location', 'not valid'],
  ['alter table tag add constraint tag_once unique (type)', 'not valid'],
  [
    'alter table tag add constraint a check (type > 0) not valid; alter table tag validate constraint a',
    'under the lock',
  ],
  ['alter table tag alter type type int', 'rewrites'],
  ['-- Unused since 0.2.0: as smallint\nalter table tag alter type type int', 'rewrites'],
  ['alter table tag alter data set not null', 'validated check'],
  ['alter table tag add column at timestamptz default clock_timestamp()', 'constant default'],
  ['alter table tag add column key uuid not null default gen_random_uuid()', 'constant default'],
  ['alter table tag add column n bigint generated always as identity', 'rewrites'],
  ['alter table tag add column role_id int references role', 'checks'],
  ['update vehicle set speed = null where speed = 0', 'batches'],
  ['delete from outbox', 'batches'],
  ['insert into traffic_hour select * from traffic_hour', 'batches'],
  ['truncate activity', 'batches'],
  ['lock table role', 'unknown'],
  ["do $$ begin execute 'drop table role'; end $$", 'unknown'],
  ['do $$ begin update role set version = 1; end $$', 'unknown'],
  ["do $$ begin execute format('alter table role drop column %I', 'version'); end $$", 'previous version'],
  ["do $$ begin execute format('alter index tag_pkey rename to %I', 'a'); end $$", 'previous version'],
  ['alter table role disable trigger all', 'unknown'],
  ['set local lock_timeout = 0', 'unknown'],
  ['with old as (delete from outbox returning id) insert into role select from old', 'unknown'],
  ['create table fine (id int);\n-- Down Migration\ndrop table fine', 'forward-only'],
])('rejects %s', (migration, reason) => {
  expect(violations(`${migration};\n`)).toEqual([expect.stringContaining(reason)])
})

test('names each statement of a migration that violates a rule', () => {
  // This migration is older than the rules.
  expect(violations(textOf('api/migrations/0055-write-open-visits-in-place-and-keep-audit-rows.sql'))).toEqual([
    expect.stringMatching(/^drop index activity_open: takes away/),
    expect.stringMatching(/^create rule audit_is_never_deleted .*: stops the previous version/),
  ])
})

test('big tables are those of the document, and exist', () => {
  const [, listed = ''] = /^Big tables: ([^.]+)\.$/m.exec(textOf('docs/migrations.md')) ?? []
  expect(Array.from(listed.matchAll(/`(\w+)`/g), ([, name]) => name)).toEqual(BIG_TABLES)
  const migrations = filesBelow('api/migrations').map(textOf).join('\n')
  expect(BIG_TABLES.filter((table) => !migrations.includes(`create table ${table} (`))).toEqual([])
})
