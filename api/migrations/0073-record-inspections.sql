-- Up Migration

-- The last number of a station (by its code) and year.
create table inspection_number (
  code text not null,
  year int not null,
  last int not null,
  primary key (code, year)
);

create table inspection (
  id bigint generated always as identity primary key,
  code text not null,
  year int not null,
  sequence int not null,
  version int not null default 1,
  state text not null check (state in ('announced', 'takenOver', 'weighed', 'closed', 'withdrawn', 'passedBy')),
  selection text not null check (selection in ('preselected', 'random', 'complaint', 'reference')),
  location_id int not null,
  -- The vehicle, and a copy of its measurement, which outlives it; null if stopped without one.
  vehicle_id bigint,
  vehicle_created_at timestamptz,
  passage jsonb,
  lane_number smallint,
  -- the measurement showed an overload
  was_overload boolean,
  ctg8p1 smallint,
  announced_at timestamptz not null,
  announced_by int not null references app_user,
  officer_id int references app_user,
  taken_over_at timestamptz,
  weighed_at timestamptz,
  weighed_by int references app_user,
  closed_at timestamptz,
  closed_by int references app_user,
  withdrawn_at timestamptz,
  withdrawn_by int references app_user,
  -- by null: noticed by the server, at this time
  passes_at timestamptz not null,
  passed_by_at timestamptz,
  passed_by_by int references app_user,
  reopened_at timestamptz,
  reopened_by int references app_user,
  reason text,
  -- of the take-over, else of the announcement; Warsaw
  shift_day date not null,
  shift_start text not null,
  scale_id int references static_scale,
  weighing jsonb,
  static_gross int,
  confirmed boolean,
  results smallint[] not null default '{}',
  fine_amount int,
  carrier text,
  tax_id text,
  declaration text,
  note text,
  -- numbers of photos are not used twice
  last_photo int not null default 0,
  -- a repeated request returns the same inspection
  idempotency_key text not null,
  request_digest text not null,
  -- of the last step, which may be repeated after a lost answer
  step_digest text,
  unique (code, year, sequence),
  constraint inspection_once_by_key unique (announced_by, idempotency_key)
);

-- At most one open inspection of a vehicle.
create unique index inspection_open_of_vehicle on inspection (location_id, vehicle_created_at, vehicle_id)
  where state in ('announced', 'takenOver', 'weighed');
create index inspection_of_vehicle on inspection (location_id, vehicle_created_at, vehicle_id);
create index inspection_by_time on inspection (announced_at desc, id desc);
create index inspection_of_officer on inspection (officer_id, announced_at desc);
create index inspection_of_announcer on inspection (announced_by, announced_at desc);
create index inspection_passed_by on inspection (passed_by_at) where state = 'passedBy';
create index inspection_announced on inspection (passes_at) where state = 'announced';

-- Copies of the images of the measurement; the files are in the folder of the inspection.
create table inspection_image (
  inspection_id bigint not null references inspection on delete cascade,
  type smallint not null,
  size int not null,
  sha256 bytea not null,
  primary key (inspection_id, type)
);

create table inspection_photo (
  inspection_id bigint not null references inspection on delete cascade,
  number int not null,
  type text not null check (type in ('image/jpeg', 'image/png')),
  size int not null,
  sha256 bytea not null,
  added_at timestamptz not null,
  added_by int not null references app_user,
  primary key (inspection_id, number)
);
