-- Up Migration

-- When the calibration of a lane was finished, with who noted it and when. The name is kept for the time when the user
-- is gone.
create table calibration_finish (
  finished_at timestamptz not null,
  entered_at timestamptz not null,
  location_id int not null,
  user_id int not null,
  lane_number smallint not null,
  username text not null,
  primary key (location_id, lane_number, finished_at)
);

-- First axles (kg) of the vehicles that passed a lane next after its calibration: frozen, because later ones are
-- compared with them for years, when the vehicles themselves are no longer kept.
create table calibration_reference (
  finished_at timestamptz not null,
  load_sum bigint not null,
  load_square_sum bigint not null,
  location_id int not null,
  vehicles int not null,
  lane_number smallint not null,
  primary key (location_id, lane_number, finished_at)
);
