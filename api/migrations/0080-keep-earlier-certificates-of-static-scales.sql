-- Up Migration

-- Certificates of static scales that others followed: a weighing that is entered later takes that of its day. static_scale
-- has the latest one.
create table static_scale_certificate (
  id int generated always as identity primary key,
  scale_id int not null references static_scale,
  certificate text not null,
  authority text not null,
  valid_from date not null,
  valid_until date not null check (valid_until >= valid_from),
  -- tenths of a percent
  accuracy smallint not null check (accuracy between 0 and 50),
  unique (scale_id, certificate, valid_from)
);

-- When the latest certificate was first used; from then on it is only followed by another.
alter table static_scale add column certificate_used_at timestamptz;
update static_scale set certificate_used_at = first_used_at where first_used_at is not null;
