-- Up Migration

-- A ticket in the ticket service. The marker stands in its title there, so that one whose creation was never answered
-- is found again and not made twice.
create table ticket_service (
  ticket_id int primary key references ticket on delete cascade,
  service_id bigint constraint ticket_service_id_unique unique,
  -- when its creation was last begun, and from which page of the service's list on it would stand
  attempted_at timestamptz,
  -- what the service last said of it
  remote_changed_at timestamptz,
  checked_at timestamptz,
  attempted_page int,
  -- the version of the ticket that is there; 0 while it is not
  pushed_version int not null default 0,
  marker text not null constraint ticket_service_marker_unique unique,
  service_number text,
  remote_status text,
  remote_owner text
);

-- How far the list of the service was read: its last page that was full.
create table ticket_service_progress (
  one boolean primary key default true check (one),
  page int not null
);
insert into ticket_service_progress (page) values (1);

-- A user's account there. Password and token are encrypted with a key that is not in the database; the password is kept
-- only until there is a token.
create table ticket_account (
  user_id int primary key references app_user on delete cascade,
  service_user_id bigint,
  password_secret bytea,
  token_secret bytea,
  expires_at timestamptz,
  email text not null
);
