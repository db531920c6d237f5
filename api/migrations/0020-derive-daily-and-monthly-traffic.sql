-- Up Migration

-- Traffic by Warsaw days and months, each derived from the finer by a job: the hourly roll-up stays the only one that
-- ingest writes. The columns mean what they mean in traffic_hour.
create table traffic_day (
  speed_sum bigint not null,
  slowness_sum bigint not null,
  load_sum bigint not null,
  location_id int not null,
  day date not null,
  vehicles int not null,
  speeds int not null,
  loads int not null,
  load_min int,
  load_max int,
  speed_min smallint,
  speed_max smallint,
  lane_number smallint not null,
  ctg8p1 smallint not null,
  violations smallint not null,
  speed_range smallint not null,
  overspeed_range smallint not null,
  primary key (location_id, day, lane_number, ctg8p1, violations, speed_range, overspeed_range)
);

create table traffic_month (
  speed_sum bigint not null,
  slowness_sum bigint not null,
  load_sum bigint not null,
  location_id int not null,
  -- its first day
  month date not null,
  vehicles int not null,
  speeds int not null,
  loads int not null,
  load_min int,
  load_max int,
  speed_min smallint,
  speed_max smallint,
  lane_number smallint not null,
  ctg8p1 smallint not null,
  violations smallint not null,
  speed_range smallint not null,
  overspeed_range smallint not null,
  primary key (location_id, month, lane_number, ctg8p1, violations, speed_range, overspeed_range)
);

-- A Warsaw day of a station whose hours changed since its day was derived. Ingest only ever adds a row, in the
-- transaction that changes the hours, so that it waits for nobody; several rows may say the same. While there is one,
-- neither the day nor its month is read.
create table traffic_mark (
  id bigint generated always as identity,
  location_id int not null,
  day date not null,
  primary key (location_id, day, id)
);

insert into traffic_mark (location_id, day)
select distinct location_id, (hour at time zone 'Europe/Warsaw')::date from traffic_hour;
