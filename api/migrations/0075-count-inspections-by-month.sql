-- Up Migration

-- Whether it was announced before an officer took it over.
alter table inspection add column was_announced boolean not null default true;
update inspection set was_announced = false where taken_over_at = announced_at;

-- What the figures need of an inspection, without its documents; written with each of its steps.
create table inspection_figure (
  inspection_id bigint primary key references inspection on delete cascade,
  -- of the detection, else of the announcement
  at timestamptz not null,
  location_id int not null,
  -- 0 without
  officer_id int not null,
  -- 0 without a detection
  lane_number smallint not null,
  -- position in the contract's selections, from 1
  selection smallint not null,
  -- null without a detection
  was_flagged boolean,
  was_announced boolean not null,
  was_stopped boolean not null,
  is_weighed boolean not null,
  is_confirmed boolean not null,
  has_pairs boolean not null default false,
  shift_start text not null,
  -- Static loads in parallel: criterion (position in the list of the domain, from 1), kg of both sides (0 if left out), and
  -- why it is left out of the sample (position in exclusions, from 1; 0: it is not).
  criteria smallint[] not null default '{}',
  wim int[] not null default '{}',
  scale int[] not null default '{}',
  exclusions smallint[] not null default '{}'
);
create index inspection_figure_by_time on inspection_figure (location_id, at);
create index inspection_figure_pairs on inspection_figure (at desc, inspection_id desc) where has_pairs;

-- A Polish month of a station whose rows changed since it was derived. A change only ever adds a row, in its own
-- transaction, so that it waits for nobody. While there is one, the month is counted from its inspections.
create table inspection_mark (
  id bigint generated always as identity,
  location_id int not null,
  month date not null,
  primary key (location_id, month, id)
);

-- Outcomes by Polish month, derived from inspection_figure by a job.
create table inspection_month (
  location_id int not null,
  -- its first day
  month date not null,
  officer_id int not null,
  lane_number smallint not null,
  shift_start text not null,
  announced int not null,
  -- of announced ones
  stopped int not null,
  stopped_flagged int not null,
  -- preselected and flagged
  weighed_flagged int not null,
  hits int not null,
  -- random and not flagged
  weighed_unflagged int not null,
  misses int not null,
  primary key (location_id, month, lane_number, officer_id, shift_start)
);

-- Differences of WIM against static by Polish month: sums in percent, and static loads left out by reason.
create table inspection_difference_month (
  sum double precision not null,
  squares double precision not null,
  location_id int not null,
  month date not null,
  n int not null,
  within5 int not null,
  within10 int not null,
  scale_not_valid int not null,
  not_weighed int not null,
  axles_differ int not null,
  groups_differ int not null,
  under_minimum int not null,
  lane_number smallint not null,
  selection smallint not null,
  criterion smallint not null,
  primary key (location_id, month, lane_number, selection, criterion)
);

-- Days with pairs by Polish month.
create table inspection_day_month (
  location_id int not null,
  month date not null,
  -- bit 0 is the first of the month
  days int not null,
  lane_number smallint not null,
  selection smallint not null,
  primary key (location_id, month, lane_number, selection)
);

-- Overloaded vehicles of long ranges.
create index traffic_month_overload on traffic_month (location_id, month, lane_number) include (vehicles)
  where violations & 1 <> 0;
