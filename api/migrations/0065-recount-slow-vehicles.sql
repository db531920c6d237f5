-- Up Migration

-- Speed 0 is not measured, and 1 to 4 km/h count as 5 in slowness (docs/domain.md, Traffic statistics). Until now a
-- speed of 0 was a speed below 50 km/h, with the slowness of 1 km/h. Rows of the hourly roll-up with such speeds are
-- recounted from their vehicles, in one pass over those below 50 km/h; days and months follow from the marks. Hours
-- whose vehicles are no longer kept stay as they were counted.

-- Ingest waits, so that no vehicle is counted between the steps.
lock table traffic_hour in share row exclusive mode;

insert into traffic_mark (location_id, day)
select distinct location_id, (hour at time zone 'Europe/Warsaw')::date from traffic_hour where speed_min < 5;

-- Without those of speed 0; a row that had only those is empty after this.
update traffic_hour h
set vehicles = r.vehicles, speeds = r.vehicles, speed_sum = r.speed_sum, speed_min = r.speed_min,
    speed_max = r.speed_max, slowness_sum = r.slowness_sum, loads = r.loads, load_sum = r.load_sum,
    load_min = r.load_min, load_max = r.load_max
from (
  select location_id, date_trunc('hour', created_at, 'UTC') as hour, lane_number, ctg8p1, violations,
         case when speed > speed_limit then least(6, ceil((speed - speed_limit) / 10.0))::int else 0 end as overspeed_range,
         count(*) filter (where speed > 0) as vehicles,
         sum(speed) as speed_sum,
         min(speed) filter (where speed > 0) as speed_min,
         nullif(max(speed), 0) as speed_max,
         coalesce(sum(round(1000000.0 / greatest(speed, 5))) filter (where speed > 0), 0) as slowness_sum,
         count(total_load) filter (where speed > 0) as loads,
         coalesce(sum(total_load) filter (where speed > 0), 0) as load_sum,
         min(total_load) filter (where speed > 0) as load_min,
         max(total_load) filter (where speed > 0) as load_max
  from vehicle
  where speed < 50
  group by 1, 2, 3, 4, 5, 6
) r
where h.location_id = r.location_id and h.hour = r.hour and h.lane_number = r.lane_number and h.ctg8p1 = r.ctg8p1
  and h.violations = r.violations and h.overspeed_range = r.overspeed_range and h.speed_range = 1 and h.speed_min < 5;

-- Those of speed 0 are counted with the vehicles without a speed.
insert into traffic_hour as h (
  location_id, hour, lane_number, ctg8p1, violations, speed_range, overspeed_range, vehicles,
  speeds, speed_sum, speed_min, speed_max, slowness_sum, loads, load_sum, load_min, load_max
)
select location_id, date_trunc('hour', created_at, 'UTC'), lane_number, ctg8p1, violations, 0, 0, count(*),
       0, 0, null, null, 0, count(total_load), coalesce(sum(total_load), 0), min(total_load), max(total_load)
from vehicle
where speed = 0
group by 1, 2, 3, 4, 5
on conflict (location_id, hour, lane_number, ctg8p1, violations, speed_range, overspeed_range) do update set
  vehicles = h.vehicles + excluded.vehicles,
  loads = h.loads + excluded.loads,
  load_sum = h.load_sum + excluded.load_sum,
  load_min = least(h.load_min, excluded.load_min),
  load_max = greatest(h.load_max, excluded.load_max);

delete from traffic_hour where vehicles = 0;
