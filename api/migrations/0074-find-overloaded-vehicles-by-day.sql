-- Up Migration

-- Overloaded vehicles of long ranges.
create index concurrently traffic_day_overload on traffic_day (location_id, day, lane_number) include (vehicles)
  where violations & 1 <> 0;
