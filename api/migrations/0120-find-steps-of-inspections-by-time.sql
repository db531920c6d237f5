-- Up Migration

-- The report of a shift reads the inspections with any step in it.
create index inspection_by_take_over on inspection (taken_over_at) where taken_over_at is not null;
create index inspection_by_closing on inspection (closed_at) where closed_at is not null;
create index inspection_by_withdrawal on inspection (withdrawn_at) where withdrawn_at is not null;
create index inspection_by_passing on inspection (passed_by_at) where passed_by_at is not null;
