-- Up Migration

-- Vehicles an hour on a lane: the 24 hours of working days, then those of weekends (Warsaw). Learnt anew now and then
-- from the hours of the last weeks.
create table usual_traffic (
  location_id int not null,
  lane_number smallint not null,
  slot smallint not null check (slot between 0 and 47),
  vehicles real not null,
  primary key (location_id, lane_number, slot)
);

alter table station_watch add column learnt_at timestamptz;
