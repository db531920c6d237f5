-- Up Migration

-- Whose stations a ticket is about. The number is what travels; the name is the one that the ticket service knows.
create table organization (
  id int primary key generated always as identity,
  name text not null constraint organization_name_unique unique,
  service_id bigint
);

create table ticket (
  id int primary key generated always as identity,
  -- counted through the Warsaw year of the report, by organization
  year smallint not null,
  number int not null,
  created_at timestamptz not null,
  closed_at timestamptz,
  organization_id int references organization,
  -- none: the portal itself, or the ticket service
  user_id int,
  location_id int,
  lane_number smallint,
  health_kind text,
  version int not null default 1,
  title text not null,
  description text not null,
  status text not null check (status in ('open', 'in_progress', 'closed')),
  handle_by text,
  reporter_name text,
  reporter_email text,
  constraint ticket_closed_has_its_time check ((status = 'closed') = (closed_at is not null)),
  constraint ticket_closed_after_report check (closed_at >= created_at),
  constraint ticket_number_unique unique nulls not distinct (organization_id, year, number)
);
create index ticket_by_report on ticket (created_at, id);

create table ticket_attachment (
  ticket_id int not null references ticket on delete cascade,
  number smallint not null,
  size int not null,
  type text not null,
  name text not null,
  sha256 bytea not null,
  created_at timestamptz not null,
  -- where it lies in the ticket service; none: it has not been sent there
  service_article bigint,
  service_file bigint,
  primary key (ticket_id, number)
);
