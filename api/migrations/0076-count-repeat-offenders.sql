-- Up Migration

-- Hours of stations whose vehicles are to be counted for repeat offenders. Everything of transactions older than
-- `through` is counted or marked; at first all stored hours are marked.
create table offender_progress (
  through bigint not null
);
insert into offender_progress values (0);
create table offender_mark (
  location_id int not null,
  hour timestamptz not null,
  primary key (location_id, hour)
);
create index offender_mark_by_hour on offender_mark (hour);

-- Spellings of plates, kept as long as their vehicles. The last spelling of a chain of joins is the vehicle's.
create table spelling (
  id int generated always as identity primary key,
  form text collate "C" not null,
  -- ISO 3166; empty if unknown
  country text collate "C" not null,
  -- letters and digits that look alike as digits
  fold text collate "C" not null,
  may_be_misread boolean not null,
  -- some vehicle was overloaded
  is_overloaded boolean not null default false,
  -- first day of the month
  last_seen date not null,
  vehicle_id int,
  joined_to int,
  rule smallint check (rule between 1 and 4),
  evidence jsonb,
  unique (form, country)
);
create index spelling_by_fold on spelling (fold);
create index spelling_of_vehicle on spelling (vehicle_id);
create index spelling_joined on spelling (joined_to) where joined_to is not null;
create index spelling_reviewed on spelling (id) where may_be_misread or joined_to is not null;

-- Plates as sent, with their spelling; null: no letter or digit. Nationality is empty if it was not sent.
create table spelling_plate (
  plate text not null,
  nationality text not null,
  spelling_id int references spelling on delete cascade,
  primary key (plate, nationality)
);
create index spelling_plate_of_spelling on spelling_plate (spelling_id);

-- Spellings with new vehicles: their joins are evaluated, their vehicles are counted.
create table spelling_queue (
  spelling_id int primary key references spelling on delete cascade
);

-- Pairs that a user split, for good: by form, as spellings come and go.
create table spelling_split (
  form text collate "C" not null,
  country text collate "C" not null,
  other_form text collate "C" not null,
  other_country text collate "C" not null,
  split_at timestamptz not null,
  split_by int not null,
  primary key (form, country, other_form, other_country)
);
create index spelling_split_of_other on spelling_split (other_form, other_country);

-- Vehicles with an overload, by their spelling, and their passages by day (Warsaw). Overloads in tenths of a percent.
create table offender (
  vehicle_id int primary key references spelling on delete cascade,
  passages int not null,
  overloads int not null,
  worst smallint not null,
  last_seen timestamptz not null
);
create index offender_by_overloads on offender (overloads, vehicle_id);

create table offender_day (
  vehicle_id int not null references spelling on delete cascade,
  day date not null,
  location_id int not null,
  passages int not null,
  overloads int not null,
  worst smallint not null,
  last_seen timestamptz not null,
  primary key (vehicle_id, day, location_id)
);
create index offender_day_overloaded on offender_day (day, vehicle_id) include (location_id, overloads, worst)
  where overloads > 0;
create index offender_day_by_day on offender_day (day);

-- Inspections are found by the plate of their vehicle.
create index inspection_by_plate on inspection ((passage ->> 'plateLpr')) where passage ->> 'plateLpr' is not null;
