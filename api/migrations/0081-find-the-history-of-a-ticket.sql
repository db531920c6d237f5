-- Up Migration

create index audit_of_ticket on audit (subject, id) where action like 'ticket-%';
create index ticket_open on ticket (location_id, created_at) where status <> 'closed';
