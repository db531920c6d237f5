-- Up Migration

-- Open visits are found by activity_one_open_visit, whose key is user, station and address. This index has the user alone:
-- chosen by the planner, each visit reads all visits of its user.
drop index activity_open;

-- `last_seen_at` is in no index, so with free space on the page an update touches no index (HOT).
alter table activity set (fillfactor = 70);

-- The audit log is only ever appended to.
create rule audit_is_never_deleted as on delete to audit do instead nothing;
