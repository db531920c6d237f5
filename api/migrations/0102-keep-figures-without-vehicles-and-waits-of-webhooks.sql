-- Up Migration

-- The import that stored the vehicle; null: a station sent it.
alter table vehicle add column import_id int;

-- The hourly roll-up of days whose vehicles were imported after their retention and never stored. With the columns of
-- traffic_hour: statistics read both as one table.
create table figure_hour (like traffic_hour including all);

-- Warsaw days of stations in figure_hour, with the import that counted them last: the next one replaces the day.
create table figure_day (
  location_id int not null,
  day date not null,
  import_id int not null,
  vehicles int not null,
  primary key (location_id, day)
);

-- Vehicles of such days while their import reads its file, deleted once their day is counted.
create table figure_vehicle (
  import_id int not null,
  location_id int not null,
  created_at timestamptz not null,
  id bigint not null,
  total_load int,
  overload_sa smallint,
  overload_ma smallint,
  overload_tl smallint,
  lane_number smallint not null,
  speed smallint,
  ctg8p1 smallint not null,
  violations smallint not null,
  speed_range smallint not null,
  overspeed_range smallint not null,
  hour_only boolean,
  axles int[],
  axle_groups int[],
  digest bytea not null,
  primary key (import_id, location_id, created_at, id)
);

alter table import
  -- of the written rows, those that went only into figures
  add column figures int not null default 0,
  -- rows in figure_vehicle
  add column collected int not null default 0;

-- Since when a delivery waits: events that are sent again are older.
alter table webhook_delivery add column pending_since timestamptz not null default now();
create index webhook_delivery_waiting on webhook_delivery (webhook_id, pending_since) where state = 'pending';

-- Since when the oldest event waits, once that is too long and those who manage webhooks were told; null: it is not.
alter table webhook add column late_since timestamptz;
