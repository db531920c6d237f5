-- Up Migration

-- A list reads the running sums of all stations of every vehicle, so they are in the row of the vehicle, and not
-- between those of its stations. Most days of most vehicles are within a range or outside it: their totals are read,
-- and sums only of those that pass its ends. `seen` has the last passage of each day, in ascending order.
alter table offender
  add column first_day date not null default '-infinity',
  add column seen timestamptz[] not null default '{}',
  add column passages_through int[] not null default '{}',
  add column overloaded_days date[] not null default '{}',
  add column overloads_through int[] not null default '{}',
  -- largest excess of each overloaded day
  add column excesses smallint[] not null default '{}';

update offender o
set first_day = h.days[1], seen = h.last_seen, passages_through = h.passages_through,
    overloaded_days = h.overloaded_days, overloads_through = h.overloads_through, excesses = h.worst
from offender_history h
where h.vehicle_id = o.vehicle_id and h.location_id = 0;

-- The same of a vehicle at a station
create table offender_location (
  vehicle_id int not null references spelling on delete cascade,
  location_id int not null,
  -- at all stations
  overloads_of_vehicle int not null,
  first_day date not null,
  last_seen timestamptz not null,
  passages int not null,
  overloads int not null,
  -- 0 without an overload
  worst smallint not null,
  seen timestamptz[] not null,
  passages_through int[] not null,
  overloaded_days date[] not null,
  overloads_through int[] not null,
  excesses smallint[] not null,
  primary key (vehicle_id, location_id)
);

insert into offender_location (
  vehicle_id, location_id, overloads_of_vehicle, first_day, last_seen, passages, overloads, worst, seen, passages_through,
  overloaded_days, overloads_through, excesses
)
select h.vehicle_id, h.location_id, o.overloads, h.days[1], h.last_seen[cardinality(h.last_seen)],
       h.passages_through[cardinality(h.passages_through)], h.overloads,
       coalesce((select max(excess) from unnest(h.worst) excess), 0), h.last_seen, h.passages_through, h.overloaded_days,
       h.overloads_through, h.worst
from offender_history h
join offender o on o.vehicle_id = h.vehicle_id
where h.location_id > 0
order by h.vehicle_id, h.location_id;

create index offender_location_by_overloads on offender_location (location_id, overloads_of_vehicle, overloads);
create index offender_carried on offender (vehicle_id) include (carrier_key) where carrier_key is not null;
create index offender_repeated on offender (vehicle_id) where repeat_since is not null;
-- The start of a parallel worker costs more than it saves.
alter table offender set (parallel_workers = 0);
alter table offender_location set (parallel_workers = 0);

-- Unused since 0.2.0: newer than it, and replaced by the columns and the table above
drop table offender_history;
