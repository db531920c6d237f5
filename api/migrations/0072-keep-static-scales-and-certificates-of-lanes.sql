-- Up Migration

-- Scales at checkpoints. An inspection copies the scale that it used, so a scale can be edited; one that has weighed
-- (first_used_at) cannot be deleted.
create table static_scale (
  id int generated always as identity primary key,
  name text not null constraint static_scale_name_unique unique,
  certificate text not null,
  authority text not null,
  valid_from date not null,
  valid_until date not null check (valid_until >= valid_from),
  -- tenths of a percent
  accuracy smallint not null check (accuracy between 0 and 50),
  kind text not null check (kind in ('platform', 'axle', 'pads')),
  first_used_at timestamptz,
  version int not null default 1
);

-- Certificates of WIM lanes. Days in Warsaw, both included; speeds in km/h.
create table lane_certificate (
  id int generated always as identity primary key,
  location_id int not null,
  lane_number smallint not null,
  number text not null,
  authority text not null,
  kind text not null check (kind in ('initial', 'subsequent', 'calibration')),
  valid_from date not null,
  valid_until date not null check (valid_until >= valid_from),
  min_speed smallint,
  max_speed smallint check (max_speed >= min_speed),
  revoked_at timestamptz,
  revoked_by text,
  revoke_reason text,
  file_name text,
  file_size int,
  file_sha256 bytea,
  version int not null default 1
);
create index lane_certificate_of_lane on lane_certificate (location_id, lane_number, valid_from desc);

-- What the figures of a lane are for; a lane without a row: preselection.
create table lane_purpose (
  location_id int not null,
  lane_number smallint not null,
  purpose text not null check (purpose in ('statistics', 'preselection', 'enforcement')),
  primary key (location_id, lane_number)
);
