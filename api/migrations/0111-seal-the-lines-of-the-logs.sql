-- Up Migration

-- A chain of hashes over the lines of a log: `seq` counts them from 1 without holes.
create table log_seal (
  chain text not null,
  seq bigint not null,
  -- id and time of the line
  source_id bigint not null,
  source_at timestamptz not null,
  -- SHA-256 of the previous hash and the line
  hash bytea not null,
  primary key (chain, seq)
);
create unique index log_seal_of_line on log_seal (chain, source_id);

-- Committed lines that are not sealed yet.
create table log_unsealed (
  chain text not null,
  source_id bigint not null,
  source_at timestamptz not null,
  primary key (chain, source_id)
);

-- Lines of before this migration, up to the id `until`, are sealed first; those up to `done` are.
create table log_backfill (
  chain text primary key,
  done bigint not null,
  until bigint not null
);
insert into log_backfill (chain, done, until)
select 'audit', 0, max(id) from audit having max(id) is not null;
