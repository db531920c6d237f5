-- Up Migration

-- Lines of before the chains of the trail are sealed first, as in 0111.
insert into log_backfill (chain, done, until)
select 'access', 0, max(id) from access_trail having max(id) is not null;
insert into log_backfill (chain, done, until)
select 'visits', 0, max(id) from access_visit_end having max(id) is not null;

-- Creates the partition of the trail for a month. With the rights of its owner, as the account of the portal may not own
-- the trail.
create function create_trail_partition(parent text, month date) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  first date := month - (extract(day from month)::int - 1);
  partition text := parent || to_char(first, '_YYYY_MM');
begin
  if parent not in ('access_trail', 'access_visit_end') then
    raise exception '% is no table of the access trail', parent using errcode = 'insufficient_privilege';
  end if;
  -- fails if there is a table of this name, which may belong to somebody who could change its rows
  execute format(
    'create table public.%I (like public.%I including all)
     with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0)',
    partition, parent);
  execute format(
    'alter table public.%I attach partition public.%I for values from (%L) to (%L)', parent, partition,
    to_char(first, 'YYYY-MM-DD"T00:00:00Z"'), to_char(first + interval '1 month', 'YYYY-MM-DD"T00:00:00Z"'));
end $$;

-- Drops the partition of the trail for a month, by the clock of the database not before it has been kept for 1,095 days.
-- Waits for readers of the trail so briefly that those who write it behind it are in time.
create function drop_trail_partition(parent text, month date) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '500ms' as $$
declare
  first date := month - (extract(day from month)::int - 1);
begin
  if parent not in ('access_trail', 'access_visit_end') then
    raise exception '% is no table of the access trail', parent using errcode = 'insufficient_privilege';
  end if;
  if (first + interval '1 month') at time zone 'UTC' > now() - interval '1095 days' then
    raise exception 'the access trail of % has to be kept', to_char(first, 'YYYY-MM')
      using errcode = 'insufficient_privilege';
  end if;
  execute format('drop table if exists public.%I', parent || to_char(first, '_YYYY_MM'));
end $$;

-- The time stamp of an anchor, which is copied beside it: when; null: not yet.
alter table evidence_anchor add column stamp_copied_at timestamptz;
