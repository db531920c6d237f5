-- Up Migration

-- Of the vehicles, those above the limit that was theirs when they passed, and those by more than 10 km/h.
alter table speed_day
  add column above_limit int not null default 0, add column above_limit_by_10 int not null default 0;
alter table speed_total_day
  add column above_limit int not null default 0, add column above_limit_by_10 int not null default 0;
alter table speed_month
  add column above_limit int not null default 0, add column above_limit_by_10 int not null default 0;
alter table speed_total_month
  add column above_limit int not null default 0, add column above_limit_by_10 int not null default 0;
