-- Up Migration

-- Imports of foreign files of vehicles, with the result of their trial and the progress of their run. The file itself is
-- on disk, until the import ends or for a day.
create table import (
  id int generated always as identity primary key,
  state text not null check (state in ('checking', 'checked', 'running', 'done', 'cancelled', 'failed')),
  file_name text not null,
  file_size bigint not null,
  sha256 bytea not null,
  -- whether the file is still on disk, and the refused rows
  has_file boolean not null default true,
  has_refused_file boolean not null default false,
  options jsonb not null,
  -- columns with their first values, how much was recognised
  columns jsonb not null,
  known_count int not null,
  total_count int not null,
  created_at timestamptz not null,
  -- null: by a command
  created_by int references app_user,
  trial jsonb,
  trial_percent smallint not null default 0,
  -- lines at which the clocks of stations were set back, by station and day
  jumps jsonb not null default '{}',
  -- of the run: the last line that was imported, and counts, in the transaction of its vehicles
  line bigint not null default 0,
  written int not null default 0,
  duplicates int not null default 0,
  refused int not null default 0,
  started_at timestamptz,
  finished_at timestamptz,
  -- the code of why the file was refused or the run failed
  error text,
  -- the process that works on it
  lease_holder text,
  lease_until timestamptz
);
create index import_by_time on import (created_at desc, id desc);
create index import_at_work on import (id) where state in ('checking', 'running');

-- How files are read, under a name.
create table import_mapping (
  id int generated always as identity primary key,
  name text not null,
  options jsonb not null,
  created_by int references app_user
);
create unique index import_mapping_name on import_mapping (lower(name collate "und-x-icu"));
