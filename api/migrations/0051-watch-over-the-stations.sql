-- Up Migration

-- What is wrong with a station, or with a lane of it (0: the station), and since when. An open one is told once.
create table station_failure (
  id int primary key generated always as identity,
  begun_at timestamptz not null,
  ended_at timestamptz,
  location_id int not null,
  ticket_id int references ticket,
  lane_number smallint not null,
  kind text not null,
  evidence jsonb not null
);
create unique index station_failure_open on station_failure (location_id, lane_number, kind) where ended_at is null;

-- The last verdict of each check.
create table station_check (
  location_id int not null,
  lane_number smallint not null,
  kind text not null,
  checked_at timestamptz not null,
  state text not null,
  evidence jsonb not null,
  primary key (location_id, lane_number, kind)
);

create table station_watch (
  one boolean primary key default true check (one),
  auto_open boolean not null,
  auto_close boolean not null
);
insert into station_watch (auto_open, auto_close) values (true, true);
