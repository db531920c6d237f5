-- Up Migration

-- Vehicles above the limit of the derived days, also of those whose vehicles are deleted, from the hourly roll-ups.
-- Days of release 0.2.0 are not derived yet: then no hours are read. Otherwise all are, which takes 10 s of 10 million
-- vehicles.
set local statement_timeout = '10min';

update speed_day s
set above_limit = e.above_limit, above_limit_by_10 = e.above_limit_by_10
from (
  select location_id, local::date as day, lane_number, ctg8p1,
         case when local::time >= '06:00' and local::time < '18:00' then 1
           when local::time >= '18:00' and local::time < '22:00' then 2 else 3 end as daypart,
         sum(vehicles)::int as above_limit,
         coalesce(sum(vehicles) filter (where overspeed_range > 1), 0)::int as above_limit_by_10
  from (
    select location_id, hour at time zone 'Europe/Warsaw' as local, lane_number, ctg8p1, overspeed_range, vehicles
    from traffic_hour
    where overspeed_range > 0 and exists (select from speed_day)
    union all
    select location_id, hour at time zone 'Europe/Warsaw', lane_number, ctg8p1, overspeed_range, vehicles
    from figure_hour
    where overspeed_range > 0 and exists (select from speed_day)
  ) h
  group by 1, 2, 3, 4, 5
) e
where s.location_id = e.location_id and s.day = e.day and s.lane_number = e.lane_number and s.ctg8p1 = e.ctg8p1
  and s.daypart = e.daypart;

update speed_total_day t
set above_limit = e.above_limit, above_limit_by_10 = e.above_limit_by_10
from (
  select location_id, day, daypart, sum(above_limit)::int as above_limit,
         sum(above_limit_by_10)::int as above_limit_by_10
  from speed_day
  group by 1, 2, 3
) e
where t.location_id = e.location_id and t.day = e.day and t.daypart = e.daypart;

update speed_month m
set above_limit = e.above_limit, above_limit_by_10 = e.above_limit_by_10
from (
  select location_id, date_trunc('month', day)::date as month, lane_number, ctg8p1, daypart,
         sum(above_limit)::int as above_limit, sum(above_limit_by_10)::int as above_limit_by_10
  from speed_day
  group by 1, 2, 3, 4, 5
) e
where m.location_id = e.location_id and m.month = e.month and m.lane_number = e.lane_number and m.ctg8p1 = e.ctg8p1
  and m.daypart = e.daypart;

update speed_total_month m
set above_limit = e.above_limit, above_limit_by_10 = e.above_limit_by_10
from (
  select location_id, date_trunc('month', day)::date as month, daypart, sum(above_limit)::int as above_limit,
         sum(above_limit_by_10)::int as above_limit_by_10
  from speed_day
  group by 1, 2, 3
) e
where m.location_id = e.location_id and m.month = e.month and m.daypart = e.daypart;
