-- Up Migration

-- Vehicles by local hour, 24 counts, of Warsaw days and months, for the hours of the week of many stations and years. Derived
-- with the other distributions, but from the hourly roll-up, so that it can always be rebuilt.
create table hour_day (
  location_id int not null,
  day date not null,
  lane_number smallint not null,
  ctg8p1 smallint not null,
  -- 0 Monday to 6 Sunday
  weekday smallint not null,
  hours int[] not null,
  primary key (location_id, day, lane_number, ctg8p1)
);
create table hour_month (
  location_id int not null,
  -- its first day
  month date not null,
  lane_number smallint not null,
  ctg8p1 smallint not null,
  weekday smallint not null,
  hours int[] not null,
  primary key (location_id, month, lane_number, ctg8p1, weekday)
);

-- Speeds and axle groups of all lanes and categories together, of which figures without filters are read.
create table speed_total_day (
  location_id int not null,
  day date not null,
  daypart smallint not null,
  first smallint not null,
  counts int[] not null,
  primary key (location_id, day, daypart)
);
create table axle_total_day (
  location_id int not null,
  day date not null,
  kind smallint not null,
  t_counts int[] not null,
  kn_counts int[] not null,
  primary key (location_id, day, kind)
);
create table speed_total_month (
  location_id int not null,
  -- its first day
  month date not null,
  daypart smallint not null,
  first smallint not null,
  counts int[] not null,
  primary key (location_id, month, daypart)
);
create table axle_total_month (
  location_id int not null,
  month date not null,
  kind smallint not null,
  t_counts int[] not null,
  kn_counts int[] not null,
  primary key (location_id, month, kind)
);

-- The job derives all days; each is found by an index lookup.
insert into distribution_mark (location_id, day)
select l.id, d.day::date
from location l
cross join lateral (select min(day) as first, max(day) as last from traffic_day t where t.location_id = l.id) r
cross join lateral generate_series(r.first, r.last, interval '1 day') as d (day)
where exists (select from traffic_day t where t.location_id = l.id and t.day = d.day::date)
on conflict do nothing;
