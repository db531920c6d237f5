-- Up Migration

-- A row per station that changes every second: with room in its page a new version stays there, and no index changes.
alter table location_activity set (fillfactor = 50);
