-- Up Migration

alter table ticket
  -- which sign a report is about, as its reporter calls it
  add column sign text,
  -- where and with what the reporter worked: page, version, requests for lists
  add column context jsonb;

create index audit_of_ticket on audit (subject, id) where action like 'ticket-%';
create index ticket_open on ticket (location_id, created_at) where status <> 'closed';
