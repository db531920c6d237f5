-- Up Migration

-- Vehicles of each quarter of an hour, of the last weeks, derived by a job: those with a weight over 3.5 t, and of these
-- those with an exceeded load limit. Quarters without vehicles have no row.
create table traffic_quarter (
  quarter timestamptz not null,
  location_id int not null,
  vehicles int not null,
  weighed int not null,
  overloaded int not null,
  primary key (quarter, location_id)
);

-- Hours of stations whose quarters are to be counted. Everything of transactions older than `through` is counted or
-- marked; at first all stored hours are marked.
create table quarter_progress (
  through bigint not null
);
insert into quarter_progress values (0);
create table quarter_mark (
  location_id int not null,
  hour timestamptz not null,
  primary key (location_id, hour)
);
create index quarter_mark_by_hour on quarter_mark (hour);
