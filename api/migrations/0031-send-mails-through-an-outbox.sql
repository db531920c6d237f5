-- Up Migration

-- Messages to people, written in the transaction that causes them and sent by a job. No secret is ever kept here:
-- a reset token is made when its mail is sent.
create table outbox (
  id bigint primary key generated always as identity,
  created_at timestamptz not null,
  kind text not null,
  recipient text not null,
  language text not null,
  -- what the text needs besides; never a secret
  details jsonb not null default '{}',
  sent_at timestamptz,
  attempts int not null default 0,
  last_error text
);
create index outbox_unsent on outbox (created_at) where sent_at is null;

create table reset_token (
  token_hash bytea primary key,
  user_id int not null references app_user on delete cascade,
  created_at timestamptz not null
);
create index reset_token_of_user on reset_token (user_id);
