-- Up Migration

-- SHA-256 of the canonical record of the vehicle, as it was stored; null: stored by a version without it.
alter table vehicle_detail add column evidence bytea;

-- What a station delivered in a minute: seals of a station are numbered without holes. A minute has a second seal if a
-- commit came late.
create table passage_seal (
  location_id int not null,
  number int not null,
  -- of the time of receipt
  minute timestamptz not null,
  vehicles int not null,
  images int not null,
  -- SHA-256 of the text of the seal, in which the previous one stands
  seal bytea not null,
  -- the lines of that text, deflated; kept when vehicles and images are deleted
  lines bytea not null,
  primary key (location_id, number)
);
create index passage_seal_by_minute on passage_seal (minute, location_id);

-- Until when received vehicles are sealed, and until when late ones were looked for.
create table passage_sealing (
  is_only boolean primary key default true check (is_only),
  sealed_until timestamptz not null,
  swept_until timestamptz not null
);

-- The ends of all chains at a time, which are copied elsewhere.
create table evidence_anchor (
  number int primary key,
  at timestamptz not null,
  -- the text that is copied and stamped, and its SHA-256
  text text not null,
  sha256 bytea not null,
  -- number of the last link of the audit log
  audit_seq bigint not null,
  -- when it was copied; null: not yet
  copied_at timestamptz
);

-- Results of the verification of all chains.
create table evidence_check (
  id int primary key generated always as identity,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  -- links of logs, and seals of vehicles and images, that hold
  links bigint not null,
  seals bigint not null,
  -- the first that does not hold; null: all hold
  fault text
);
