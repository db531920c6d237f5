-- Up Migration

-- The key that signs the addresses of images, for all processes. One row, which the first process inserts and
-- `npm run manage -- image-key renew` replaces.
create table image_address_key (
  is_only boolean primary key default true check (is_only),
  secret bytea not null check (octet_length(secret) >= 32),
  created_at timestamptz not null default now()
);
