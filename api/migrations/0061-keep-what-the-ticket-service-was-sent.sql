-- Up Migration

alter table ticket_service
  -- the texts that the service has from the portal: only what differs from them is sent; null: not known
  add column sent_title text,
  add column sent_description text,
  add column sent_handle_by text,
  -- when an article with changed texts was last sent without its arrival being known
  add column article_attempted_at timestamptz,
  -- who has the ticket there, by name
  add column remote_owner_name text;

update ticket_service s
set sent_title = t.title, sent_description = t.description, sent_handle_by = t.handle_by
from ticket t
where t.id = s.ticket_id and s.service_id is not null and s.pushed_version = t.version;

-- When a token was last asked for without one being answered.
alter table ticket_account add column token_attempted_at timestamptz;

-- Who carries out work that one process at a time may do, and until when without a sign of life.
create table ticket_lease (
  name text primary key,
  holder text not null,
  expires_at timestamptz not null
);
