-- Up Migration

create index concurrently audit_of_subject on audit (subject, id);
