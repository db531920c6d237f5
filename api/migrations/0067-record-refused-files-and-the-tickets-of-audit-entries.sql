-- Up Migration

-- Files of the ticket service that were begun to be imported and are not in the portal.
create table ticket_service_file (
  ticket_id int not null references ticket on delete cascade,
  service_file bigint not null,
  -- recorded before a file is read, so that one that ends the process is not read for ever
  attempts int not null,
  -- by its content: it is not fetched again
  refused boolean not null default false,
  primary key (ticket_id, service_file)
);

-- When the ticket service last refused a file that was added later; null: it did not.
alter table ticket_attachment add column refused_at timestamptz;

-- The ticket that an entry is about: its number is counted by organization and year, so several have it.
alter table audit add column ticket_id int;

drop rule audit_is_never_updated on audit;

update audit set ticket_id = coalesce(after ->> 'id', before ->> 'id')::int
where action like 'ticket-%' and coalesce(after ->> 'id', before ->> 'id') is not null;

-- Entries of the ticket service name the number alone: those of a number that several tickets have are left without.
update audit a set ticket_id = t.id
from (
  select number || '/' || year as subject, min(id) as id, min(created_at) as created_at
  from ticket group by 1 having count(*) = 1
) t
where a.action like 'ticket-%' and a.ticket_id is null and a.subject = t.subject and a.at >= t.created_at - interval '1 day';

drop index audit_of_ticket;
create index audit_of_ticket on audit (ticket_id, id) where ticket_id is not null;

-- The address of a page may hold a plate in its query: the path alone is kept, and none that is not one of a page.
create function pg_temp.without_query(context jsonb) returns jsonb language sql immutable as $$
  select case when split_part(split_part(context ->> 'page', '#', 1), '?', 1)
                     ~ '^(/|(/[a-z][A-Za-z]*(-[a-z]+)*|/[0-9]+|/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z)+)$'
    then jsonb_set(context, '{page}', to_jsonb(split_part(split_part(context ->> 'page', '#', 1), '?', 1)))
    else jsonb_set(context, '{page}', 'null') end
$$;

update ticket set context = pg_temp.without_query(context) where context ->> 'page' is not null;

update audit
set before = case when before #>> '{context,page}' is null then before
                  else jsonb_set(before, '{context}', pg_temp.without_query(before -> 'context')) end,
    after = case when after #>> '{context,page}' is null then after
                 else jsonb_set(after, '{context}', pg_temp.without_query(after -> 'context')) end
where action like 'ticket-%' and (before #>> '{context,page}' is not null or after #>> '{context,page}' is not null);

create rule audit_is_never_updated as on update to audit do instead nothing;
