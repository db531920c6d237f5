-- Up Migration

-- Files of the report itself travel with it, and those of the ticket service are there already: the rest is sent later.
alter table ticket_attachment
  add column added_later boolean not null default false,
  -- when the ticket service was last sent a file that was added later, without its arrival being known
  add column attempted_at timestamptz,
  -- when the ticket service got it; null: not yet, or it did not have to be sent
  add column sent_at timestamptz;
