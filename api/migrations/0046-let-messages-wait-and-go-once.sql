-- Up Migration

alter table outbox
  -- What this message is about, where there may be only one of it.
  add column once text,
  -- It does not leave before.
  add column not_before timestamptz,
  -- Somebody is sending it; when the process dies on the way, another takes it after this.
  add column leased_until timestamptz;

create unique index outbox_once on outbox (once) where once is not null;
