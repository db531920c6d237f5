-- Up Migration

-- When what a client of DATEX II gets last changed: vehicles are committed out of order, and stations and signs have no time of change.
create table datex_state (
  publication text not null,
  -- id of the external system; 0: users
  holder int not null,
  -- SHA-256 of what selects another document for the same holder
  selection bytea not null,
  -- SHA-256 of the document without the times of publication and polling
  digest bytea not null,
  -- whole second, later at each change
  modified_at timestamptz not null,
  -- to the day
  seen_at timestamptz not null,
  primary key (publication, holder, selection)
);
