-- Up Migration

-- When the user of a session last showed the password or the second factor in it; null: opened by an earlier version.
alter table session add column verified_at timestamptz;
