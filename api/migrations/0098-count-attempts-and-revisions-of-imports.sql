-- Up Migration

alter table import
  -- how often a process began to work on it without progress since: one that ends the process each time is given up
  add column attempts smallint not null default 0,
  -- raised by each change of its options: a run names the trial that was seen
  add column revision int not null default 1;

-- Entries of uploads that were cut off have no options, and broke the list.
delete from import where options = '{}' and created_at < now() - interval '1 day';
