-- Up Migration

-- A station that has sent nothing since a day after it was added has failed. Those that are there count from now.
alter table location add column added_at timestamptz not null default now();
