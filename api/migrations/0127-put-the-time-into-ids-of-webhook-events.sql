-- Up Migration

-- Whether the id that receivers know has the time of the event, so that it is another one after a restore; those of before
-- keep theirs.
alter table webhook_event add column has_time_in_id boolean not null default false;
alter table webhook_event alter column has_time_in_id set default true;
