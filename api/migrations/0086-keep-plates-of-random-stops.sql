-- Up Migration

-- Plate and country of a vehicle that was stopped without a measurement, as the officer entered them.
alter table inspection
  add column entered_plate text,
  add column entered_nationality text,
  -- Officers from whom another one took it over.
  add column former_officers int[] not null default '{}';
create index inspection_by_entered_plate on inspection (entered_plate) where entered_plate is not null;

-- When the number or the days of a certificate were entered; null: before that was recorded.
alter table static_scale add column certificate_entered_at timestamptz;
alter table static_scale_certificate add column entered_at timestamptz;
