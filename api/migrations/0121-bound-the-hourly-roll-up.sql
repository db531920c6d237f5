-- Up Migration

-- The hourly roll-up is kept for ever: in ten years 48 GB for 40 stations, half of it indexes. In partitions of years,
-- vacuum reads only the year that is written, and a query only the years that it asks for. The table becomes the first
-- of them, up to a bound that no process of the previous version reaches while it still runs.
do $$
begin
  execute format(
    'alter table traffic_hour add constraint traffic_hour_bounds check (hour >= %L and hour < %L) not valid',
    '1970-01-01T00:00:00Z',
    to_char(
      date_trunc('year', greatest(now(), (select max(hour) from traffic_hour)) at time zone 'UTC' + interval '1 month')
        + interval '1 year',
      'YYYY-MM-DD"T00:00:00Z"'
    )
  );
end
$$;
