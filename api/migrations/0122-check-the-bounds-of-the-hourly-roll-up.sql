-- Up Migration

-- Reads the whole table, without a lock that blocks writers: the partition is attached without reading it again.
set local statement_timeout = 0;
alter table traffic_hour validate constraint traffic_hour_bounds;
