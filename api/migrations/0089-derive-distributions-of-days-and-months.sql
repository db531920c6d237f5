-- Up Migration

-- Distributions of vehicles by Warsaw days and months, derived by the job of traffic_day from the vehicles of dirty days;
-- they are kept when the vehicles are deleted. Arrays count vehicles by bin, without trailing zeros. The rules are in
-- docs/domain.md, the bins in domain/src/statistics.

-- Vehicles, heavy ones of them, and vehicles by local hour, 24 counts.
create table profile_day (
  location_id int not null,
  day date not null,
  vehicles int not null,
  heavy_vehicles int not null,
  hours int[] not null,
  primary key (location_id, day)
);

-- Vehicles with a speed by whole km/h, from `first` on; daypart 1 day, 2 evening, 3 night.
create table speed_day (
  location_id int not null,
  day date not null,
  lane_number smallint not null,
  ctg8p1 smallint not null,
  daypart smallint not null,
  first smallint not null,
  counts int[] not null,
  primary key (location_id, day, lane_number, ctg8p1, daypart)
);
create table speed_month (
  location_id int not null,
  -- its first day
  month date not null,
  lane_number smallint not null,
  ctg8p1 smallint not null,
  daypart smallint not null,
  first smallint not null,
  counts int[] not null,
  primary key (location_id, month, lane_number, ctg8p1, daypart)
);

-- Gross weights, and sums of the fourth powers of axle loads, kg⁴; `avoidable4_sum` is what overloads add to it.
create table load_day (
  location_id int not null,
  day date not null,
  vehicles int not null,
  weighed int not null,
  load_sum bigint not null,
  axles int not null,
  lane_number smallint not null,
  ctg8p1 smallint not null,
  overloaded boolean not null,
  load4_sum numeric not null,
  avoidable4_sum numeric not null,
  gross int[] not null,
  primary key (location_id, day, lane_number, ctg8p1, overloaded)
);
create table load_month (
  location_id int not null,
  month date not null,
  vehicles int not null,
  weighed int not null,
  load_sum bigint not null,
  axles int not null,
  lane_number smallint not null,
  ctg8p1 smallint not null,
  overloaded boolean not null,
  load4_sum numeric not null,
  avoidable4_sum numeric not null,
  gross int[] not null,
  primary key (location_id, month, lane_number, ctg8p1, overloaded)
);

-- Axle groups by load, in bins of tonnes and of kN. Kind 1: a first axle alone, 2: another single axle, 3 tandem, 4 tridem,
-- 5 wider.
create table axle_day (
  location_id int not null,
  day date not null,
  groups int not null,
  lane_number smallint not null,
  ctg8p1 smallint not null,
  kind smallint not null,
  t_counts int[] not null,
  kn_counts int[] not null,
  primary key (location_id, day, lane_number, ctg8p1, kind)
);
create table axle_month (
  location_id int not null,
  month date not null,
  groups int not null,
  lane_number smallint not null,
  ctg8p1 smallint not null,
  kind smallint not null,
  t_counts int[] not null,
  kn_counts int[] not null,
  primary key (location_id, month, lane_number, ctg8p1, kind)
);

-- Times to the vehicle before in the lane, ms; of heavy vehicles and of others.
create table headway_day (
  location_id int not null,
  day date not null,
  headway_sum bigint not null,
  lane_number smallint not null,
  heavy boolean not null,
  counts int[] not null,
  primary key (location_id, day, lane_number, heavy)
);
create table headway_month (
  location_id int not null,
  month date not null,
  headway_sum bigint not null,
  lane_number smallint not null,
  heavy boolean not null,
  counts int[] not null,
  primary key (location_id, month, lane_number, heavy)
);

-- A Warsaw day of a station whose distributions are to be derived again: its daily roll-up was. Like traffic_mark, but of
-- its own, so that the roll-ups do not wait for the distributions of many days. At first all stored days are marked.
create table distribution_mark (
  location_id int not null,
  day date not null,
  primary key (location_id, day)
);
insert into distribution_mark (location_id, day)
select distinct location_id, day from traffic_day
where day >= (select min(created_at) at time zone 'Europe/Warsaw' from vehicle)::date;
