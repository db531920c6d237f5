-- Up Migration

-- Days of a vehicle in ascending order, with running sums: the figures of any range are found by two binary searches
-- instead of being summed up. `location_id` 0 is all stations together.
create table offender_history (
  vehicle_id int not null references spelling on delete cascade,
  location_id int not null,
  overloads int not null,
  days date[] not null,
  passages_through int[] not null,
  -- last passage of each day
  last_seen timestamptz[] not null,
  overloaded_days date[] not null,
  overloads_through int[] not null,
  -- largest excess of each overloaded day
  worst smallint[] not null,
  primary key (vehicle_id, location_id)
);
create index offender_history_by_overloads on offender_history (location_id, overloads);

-- End of the last hour up to which all vehicles were counted
alter table offender_progress add column counted_until timestamptz;

-- The job counts them again.
insert into spelling_queue (spelling_id) select vehicle_id from offender on conflict do nothing;

-- Unused since 0.2.0: newer than it, and replaced by the running sums
drop index offender_day_of_range;
-- Unused since 0.2.0: newer than it, and replaced by the running sums
drop index offender_day_of_location;
-- Unused since 0.2.0: newer than it, and replaced by the running sums
drop index offender_day_overloaded;
