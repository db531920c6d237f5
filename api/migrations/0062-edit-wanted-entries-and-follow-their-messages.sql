-- Up Migration

-- What a change has to send back, so that nobody overwrites what another changed meanwhile.
alter table wanted_plate add column version int not null default 1;
alter table wanted_contact add column version int not null default 1;

-- It was settled without anything being sent: a false hit, an entry that is gone.
alter table outbox add column dropped boolean not null default false;

-- The messages of a contact, newest first.
create index outbox_of_wanted_contact on outbox ((details ->> 'contactId'), id desc)
  where kind in ('wanted-mail', 'wanted-sms');
