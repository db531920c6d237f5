-- Up Migration

-- Derived rows of the archive of before this time are deleted; null: not known. A job looks for them only when the first
-- partition of vehicles begins at another time.
alter table archive_progress add column deleted_before timestamptz;
