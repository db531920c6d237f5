-- Up Migration

-- Time stamps (RFC 3161) that are asked for until an authority gives them.
create table stamp_request (
  id bigint generated always as identity primary key,
  -- kind of what is stamped: document, manifest, anchor
  about text not null,
  -- SHA-256 of what is stamped
  imprint bytea not null unique,
  requested_at timestamptz not null,
  attempts int not null default 0,
  -- null: stamped
  next_at timestamptz,
  -- TimeStampToken in DER; null: not stamped yet
  token bytea,
  -- the time that the token states
  stamped_at timestamptz,
  -- why the last attempt failed; null: it did not
  error text
);
create index stamp_request_due on stamp_request (next_at) where next_at is not null;
