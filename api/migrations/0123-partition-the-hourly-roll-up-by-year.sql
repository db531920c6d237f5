-- Up Migration

-- The name of a partition tells its first day and the number of its days.
do $$
declare
  upper timestamptz := (
    select substring(pg_get_constraintdef(oid) from '< ''([^'']+)''')::timestamptz
    from pg_constraint where conname = 'traffic_hour_bounds' and conrelid = 'traffic_hour'::regclass
  );
  partition text := 'traffic_hour_1970_01_01_' || ((upper at time zone 'UTC')::date - date '1970-01-01');
begin
  -- It is written until the next year begins, and has all years before.
  execute format('alter table traffic_hour set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)');
  execute format('alter table traffic_hour rename to %I', partition);
  execute format('alter index traffic_hour_pkey rename to %I', partition || '_pkey');
  execute format('alter index traffic_hour_by_time rename to %I', partition || '_by_time');
  execute format('create table traffic_hour (like %I including all excluding constraints) partition by range (hour)', partition);
  execute format('alter table traffic_hour attach partition %I for values from (%L) to (%L)', partition, '1970-01-01T00:00:00Z', upper);
end
$$;
