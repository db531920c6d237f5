-- Up Migration

-- What was ordered by whom. The file itself is made while the link is fetched, so nothing large ever waits here.
create table report_link (
  token_hash bytea primary key,
  user_id int not null references app_user on delete cascade,
  kind text not null,
  query jsonb not null,
  language text not null,
  expires_at timestamptz not null
);
create index report_link_by_expiry on report_link (expires_at);
