-- Up Migration

alter table app_user
  add column organization text,
  add column send_user_logs_to_server boolean not null default false,
  add column ticket boolean not null default false,
  add column last_login_at timestamptz,
  add column version int not null default 1,
  -- A deleted user signs in no more and is shown no more; the history still knows the name.
  add column deleted_at timestamptz;

drop index app_user_username_unique;
create unique index app_user_username_unique on app_user (lower(username)) where deleted_at is null;

alter table role add column version int not null default 1;
alter table role drop constraint role_name_unique;
create unique index role_name_unique on role (lower(name));

-- Who changed what: only ever appended to.
create table audit (
  id bigint primary key generated always as identity,
  at timestamptz not null,
  user_id int,
  ip text,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb
);
create index audit_by_time on audit (at, id);
create rule audit_is_never_updated as on update to audit do instead nothing;
