-- Up Migration

-- Filters with plates, whose ids replace them in addresses.
create table plate_search (
  -- archive, current or wanted: an id opens only there
  page text not null,
  -- 128 random bits
  id bytea not null,
  -- user; negative: device or system, as in their sessions
  owner_id int not null,
  -- JSON, encrypted with SECRET_KEY or plate_search_key
  filters bytea not null,
  expires_at timestamptz not null,
  primary key (page, id)
);
create index plate_search_expires_at on plate_search (expires_at);

-- Encrypts saved searches where SECRET_KEY is not set. One row, which the first process inserts.
create table plate_search_key (
  is_only boolean primary key default true check (is_only),
  secret bytea not null check (octet_length(secret) = 32)
);
