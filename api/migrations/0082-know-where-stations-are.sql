-- Up Migration

-- Degrees north and east (WGS 84), both or neither: without them a station is not on the map. Minutes without data after
-- which a station counts as silent; null: the common limit.
alter table location
  add column latitude float8,
  add column longitude float8,
  add column silent_after int;
alter table location add constraint location_on_earth check (
  (latitude is null) = (longitude is null) and latitude between -90 and 90 and longitude between -180 and 180
  and silent_after between 1 and 1440
);
