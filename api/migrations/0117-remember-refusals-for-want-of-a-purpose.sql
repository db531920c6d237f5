-- Up Migration

-- Minutes in which a session was refused what needs a purpose, as it had given none.
create table purpose_refusal (
  -- tells sessions apart as in the access trail
  session bytea not null,
  -- the start of the minute
  at timestamptz not null,
  user_id int not null,
  user_name text not null,
  -- when the session gave a purpose after that; null: it did not
  answered_at timestamptz,
  primary key (session, at)
);
create index purpose_refusal_by_time on purpose_refusal (at);
