-- Up Migration

alter table inspection_figure
  -- Why an announced one was not weighed: position in the contract's unweighedReasons, from 1; 0: weighed, or not announced.
  add column unweighed smallint not null default 0,
  -- Its inspection was deleted: what remains has no vehicle, and the hour instead of the instant.
  add column is_kept boolean not null default false;
-- Unused since 0.2.0: newer than it; outcomes now outlive withdrawn inspections, and those whose vehicle passed by
alter table inspection_figure drop constraint inspection_figure_inspection_id_fkey;
create index inspection_figure_kept on inspection_figure (at) where is_kept;

update inspection_figure f
set unweighed = case when i.state = 'passedBy' then 1
                     when i.state = 'withdrawn' then 2
                     when i.state <> 'closed' then 6
                     when 9 = any(i.results) then 3
                     when 10 = any(i.results) then 4
                     else 5 end
from inspection i
where i.id = f.inspection_id and f.was_announced and not f.is_weighed;

-- Announced inspections that were not weighed, by reason.
alter table inspection_month
  add column passed_by int not null default 0,
  add column withdrawn int not null default 0,
  add column refused int not null default 0,
  add column scale_failed int not null default 0,
  add column closed_otherwise int not null default 0,
  add column still_open int not null default 0;

-- The job derives them again.
insert into inspection_mark (location_id, month) select distinct location_id, month from inspection_month;
