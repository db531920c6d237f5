-- Up Migration

-- What a search has derived of the vehicles (docs/decisions/003-count-per-time-bucket.md) and how far it
-- has come: everything of transactions older than `through` is in it. Newer arrivals a search looks up itself.
create table archive_progress (
  through bigint not null
);
insert into archive_progress values (0);

-- The transaction that last brought a vehicle of this station and hour. With it "what has changed since" needs no
-- look at the vehicles, and no clock.
create table arrival (
  hour timestamptz not null,
  written_by bigint not null,
  location_id int not null,
  primary key (location_id, hour)
);
create index arrival_by_transaction on arrival (written_by);

insert into arrival (location_id, hour, written_by) select distinct location_id, hour, 0 from traffic_hour;

-- Vehicles of a day (UTC) by what a search may ask of the roll-ups: many times smaller than traffic_hour. `dimensions`
-- is a bit set (1 lane, 2 category, 4 violations) of what the row tells apart; the others are -1. There are rows for
-- none, for each alone and for all three, so that a search reads no more of them than it asks for.
create table vehicle_day (
  day date not null,
  location_id int not null,
  vehicles int not null,
  dimensions smallint not null,
  lane_number smallint not null,
  ctg8p1 smallint not null,
  violations smallint not null,
  primary key (dimensions, location_id, day, lane_number, ctg8p1, violations)
);

create extension if not exists pg_trgm;

-- Every plate that was seen, once: a trigram index on the vehicles themselves would double the cost of taking them in.
-- `misread` has the characters that cameras confuse made equal. A plate goes when the last month that saw it goes.
create table plate (
  plate text collate "C" primary key,
  misread text collate "C" not null,
  last_seen date not null
);
create index plate_by_part on plate using gin (plate gin_trgm_ops);
create index plate_by_likeness on plate using gin (misread gin_trgm_ops);
