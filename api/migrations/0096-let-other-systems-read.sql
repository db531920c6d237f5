-- Up Migration

-- Other systems that read with an exchange key. They outlive the account that made them.
create table exchange_system (
  id int generated always as identity primary key,
  -- SHA-256; null once revoked
  key_hash bytea constraint exchange_system_key_unique unique,
  name text not null constraint exchange_system_name_unique unique,
  remark text,
  location_ids int[] not null check (cardinality(location_ids) > 0),
  -- names of rights
  rights text[] not null check (cardinality(rights) > 0),
  plates boolean not null,
  -- last day of the key in Warsaw
  valid_until date not null,
  created_at timestamptz not null,
  created_by text not null,
  renewed_at timestamptz not null,
  last_seen_at timestamptz,
  revoked_at timestamptz,
  revoked_by text,
  version int not null default 1,
  check ((revoked_at is null) = (revoked_by is null)),
  check ((revoked_at is null) = (key_hash is not null))
);
