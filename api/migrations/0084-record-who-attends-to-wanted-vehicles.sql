-- Up Migration

-- Why a hit is false: 1 misread, 2 other country, 3 other vehicle, 4 outdated entry. Null: not false, or marked in the list.
alter table wanted_hit add column false_reason smallint;

-- Who attends to a wanted vehicle, and who closed the hit; one row for all entries that match the vehicle.
create table wanted_response (
  created_at timestamptz not null,
  vehicle_id bigint not null,
  taken_at timestamptz,
  closed_at timestamptz,
  location_id int not null,
  taken_by int,
  closed_by int,
  primary key (location_id, created_at, vehicle_id),
  check ((taken_at is null) = (taken_by is null)),
  check ((closed_at is null) = (closed_by is null))
);

-- What users did about a wanted vehicle: 1 opened, 2 taken, 3 shown on the sign, 4 closed, 5 reopened.
create table wanted_step (
  created_at timestamptz not null,
  vehicle_id bigint not null,
  at timestamptz not null,
  location_id int not null,
  user_id int not null,
  step smallint not null check (step between 1 and 5),
  reason smallint
);
create index wanted_step_of_vehicle on wanted_step (location_id, created_at, vehicle_id, at);
create unique index wanted_step_opened_once on wanted_step (location_id, created_at, vehicle_id, user_id) where step = 1;
