-- Up Migration

-- One row a passage, as thin as it can be: scans over millions read only this. Columns go from wide to narrow, so
-- that nothing is lost to alignment. Partitions (a month each, in UTC) are made by the server, ahead and on demand.
create table vehicle (
  created_at timestamptz not null,
  id bigint not null,
  checkpoint_time timestamptz,
  vms_readable_at timestamptz,
  -- when the row was written, by the database's own clock; rows become visible a little later, at commit
  received_at timestamptz not null default clock_timestamp(),
  location_id int not null,
  total_load int,
  limit_total_load int,
  -- tenths of a percent over the limit; 0 within it, null without a scale
  overload_sa smallint,
  overload_ma smallint,
  overload_tl smallint,
  lane_number smallint not null,
  speed smallint,
  speed_limit smallint,
  veh_length smallint,
  veh_height smallint,
  limit_height smallint,
  limit_length smallint,
  number_of_axles smallint,
  -- 0: not classified
  ctg8p1 smallint not null,
  ctg323 smallint,
  -- a bit for each violation
  violations smallint not null,
  plate_lpr text,
  nationality text,
  primary key (location_id, created_at, id)
) partition by range (created_at);

create index vehicle_by_time on vehicle (created_at, id, location_id);
create index vehicle_by_plate on vehicle (plate_lpr, created_at) where plate_lpr is not null;
create index vehicle_violating on vehicle (location_id, created_at) where violations <> 0;

-- What only a detail or a card shows. Apart from vehicle, because fat columns made its scans several times slower.
create table vehicle_detail (
  created_at timestamptz not null,
  id bigint not null,
  location_id int not null,
  accuracy_class text,
  -- flat: so many numbers an axle, so many a group
  axles int[],
  axle_groups int[],
  -- height profile, cm, two bytes a sample, the low one first: nothing in the database looks inside, and unlike
  -- smallint[] it travels through unnest as one value
  shape bytea,
  euro jsonb,
  primary key (location_id, created_at, id)
) partition by range (created_at);

-- Pictures come before or after their vehicle and expire earlier: docs/decisions/002-images-in-their-own-table.md
create table vehicle_image (
  created_at timestamptz not null,
  id bigint not null,
  received_at timestamptz not null default clock_timestamp(),
  location_id int not null,
  size int not null,
  -- place in the contract's list of image types, from 1
  type smallint not null,
  sha256 bytea not null,
  primary key (location_id, created_at, id, type)
) partition by range (created_at);

create table tag (
  id bigint generated always as identity,
  created_at timestamptz not null,
  vehicle_id bigint not null,
  location_id int not null,
  user_id int not null references app_user on delete cascade,
  type smallint not null,
  private boolean not null,
  data text,
  description text,
  primary key (location_id, created_at, vehicle_id, user_id, type)
);
create index tag_of_user on tag (user_id, created_at);

-- Every vehicle is counted here in the statement that writes it. Sums are whole numbers, so that a recount is exact.
create table traffic_hour (
  hour timestamptz not null,
  speed_sum bigint not null,
  -- of round(1,000,000 / speed), for the space-mean speed; a speed of 0 counts as 1 km/h
  slowness_sum bigint not null,
  load_sum bigint not null,
  location_id int not null,
  vehicles int not null,
  -- vehicles with a speed, with a load
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
  primary key (location_id, hour, lane_number, ctg8p1, violations, speed_range, overspeed_range)
);
create index traffic_hour_by_time on traffic_hour (hour);

-- Rejected vehicles with their reasons. The digest keeps a station that resends from filling it with the same.
create table quarantine (
  id bigint generated always as identity,
  received_at timestamptz not null,
  location_id int not null,
  digest bytea not null,
  measurement jsonb not null,
  errors jsonb not null,
  primary key (location_id, digest)
);
create index quarantine_by_time on quarantine (received_at desc, id desc);

-- Several processes may see a user's poll at the same moment: one visit all the same.
create unique index activity_one_open_visit on activity (user_id, location_id, ip)
  where event_type = 2 and logout_at is null;
