-- Up Migration

-- Wall screens with a token of their own. They outlive the account that made them.
create table device (
  id int generated always as identity primary key,
  -- SHA-256; null once revoked
  token_hash bytea constraint device_token_unique unique,
  name text not null constraint device_name_unique unique,
  remark text,
  location_ids int[] not null check (cardinality(location_ids) > 0),
  columns smallint not null check (columns between 2 and 4),
  anonymised boolean not null,
  wanted boolean not null check (not (wanted and anonymised)),
  -- last day of the token in Warsaw
  valid_until date,
  created_at timestamptz not null,
  created_by text not null,
  renewed_at timestamptz not null,
  last_seen_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  version int not null default 1,
  check ((revoked_at is null) = (revoked_by is null)),
  check ((revoked_at is null) = (token_hash is not null))
);
