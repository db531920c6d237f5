-- Up Migration

-- The carrier of the latest inspection with one, the tax id or else the name in lower case as its key, and the day from which
-- the vehicle is a repeat offender: lists of 1 million inspections read none of them.
alter table offender
  add column carrier_key text,
  add column carrier text,
  add column tax_id text,
  add column repeat_since date;
create index offender_of_carrier on offender (carrier_key) where carrier_key is not null;

-- Plates of inspections that were closed or deleted since vehicles were counted. A step only ever adds a row, so that it waits
-- for nobody.
create table offender_carrier_mark (
  id bigint generated always as identity primary key,
  plate text not null,
  -- empty if it was not sent
  nationality text not null
);

-- Inspections of a vehicle are found without reading their copy of the measurement.
create index inspection_of_plate
  on inspection ((passage ->> 'plateLpr'), (coalesce(passage ->> 'nationality', '')), announced_at)
  where passage ->> 'plateLpr' is not null;
-- Unused since 0.2.0: newer than it, and replaced by the index above
drop index inspection_by_plate;

-- The job counts them again, which fills the columns.
insert into spelling_queue (spelling_id) select vehicle_id from offender on conflict do nothing;
