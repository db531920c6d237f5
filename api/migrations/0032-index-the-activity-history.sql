-- Up Migration

-- The history of one user over a range.
create index activity_of_user on activity (user_id, created_at, id);
create index audit_of_user on audit (user_id, at, id);
