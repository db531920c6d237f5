-- Up Migration

-- While a station is closed it is stopped on purpose: this time is left out of its availability.
create table station_closure (
  closed_at timestamptz not null,
  reopened_at timestamptz,
  location_id int not null
);
create unique index station_closure_open on station_closure (location_id) where reopened_at is null;
insert into station_closure (location_id, closed_at) select id, closed_at from location where closed_at is not null;

-- Since when stations are watched, when it was last done, and up to which hour their measurements are summed up. Availability
-- under the contract, in percent.
alter table station_watch
  add column watched_since timestamptz,
  add column checked_at timestamptz,
  add column measured_until timestamptz,
  add column contract_percent numeric(4, 1);

-- When the portal did not watch, such as while it did not run.
create table station_watch_gap (
  begun_at timestamptz primary key,
  ended_at timestamptz not null
);

-- What a station sent in an hour: vehicles, those without a plate, those old enough to have an image, and without one.
create table station_quality_hour (
  hour timestamptz not null,
  location_id int not null,
  vehicles int not null,
  unread int not null,
  settled int not null,
  without_images int not null,
  -- from detection to arrival, of the fastest delivery
  fastest_seconds real,
  primary key (location_id, hour)
);
