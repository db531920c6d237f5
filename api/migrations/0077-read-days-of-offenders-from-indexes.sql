-- Up Migration

-- Passages of many vehicles in a range, or at stations, are read from an index alone.
create index offender_day_of_range on offender_day (day, vehicle_id)
  include (location_id, passages, overloads, worst, last_seen);
create index offender_day_of_location on offender_day (location_id, day, vehicle_id)
  include (passages, overloads, worst, last_seen);
