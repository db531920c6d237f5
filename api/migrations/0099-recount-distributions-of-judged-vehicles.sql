-- Up Migration

-- True: an imported record had only the hour of the vehicle, so that its time within the hour gives no headways.
alter table vehicle add column hour_only boolean;

-- Of the vehicles, those whose overload was judged, and the fourth powers of their axle loads: on a lane without an accuracy
-- class none is. Null: derived before this migration from vehicles that are deleted.
alter table load_day add column judged int, add column judged_load4_sum numeric;
alter table load_month add column judged int, add column judged_load4_sum numeric;

-- The job derives all days again: profile_day of all days from their hours, and the other distributions from the vehicles that
-- are stored. Each day is found by an index lookup.
insert into distribution_mark (location_id, day)
select l.id, d.day::date
from location l
cross join lateral (select min(day) as first, max(day) as last from traffic_day t where t.location_id = l.id) r
cross join lateral generate_series(r.first, r.last, interval '1 day') as d (day)
where exists (select from traffic_day t where t.location_id = l.id and t.day = d.day::date)
on conflict do nothing;
