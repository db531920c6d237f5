-- Up Migration

-- Alarms of operators, one open for each kind and subject, kept as history. Raised and cleared by the leader.
create table alarm (
  id bigint generated always as identity primary key,
  kind text not null,
  priority text not null check (priority in ('high', 'medium', 'low')),
  subject text not null,
  location_id int,
  lane_number smallint,
  sign_id int,
  sign_number int,
  vehicle_id bigint,
  vehicle_created_at timestamptz,
  plate_lpr text,
  nationality text,
  name text,
  value real,
  raised_at timestamptz not null,
  -- the last three
  raised_times timestamptz[] not null,
  count int not null default 1,
  ends_at timestamptz,
  cleared_at timestamptz,
  is_missed boolean not null default false,
  acknowledged_at timestamptz,
  acknowledged_by text,
  shelved_until timestamptz,
  shelved_by text,
  shelf_reason text,
  -- when it left the list; null: open
  closed_at timestamptz
);
create unique index alarm_open on alarm (kind, subject) where closed_at is null;
create index alarm_by_time on alarm (raised_at);
create index alarm_by_closing on alarm (closed_at) where closed_at is not null;

-- Whether overheight vehicles raise an alarm.
alter table location add column overheight_alarm boolean not null default false;
