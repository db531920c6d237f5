-- Up Migration

create sequence access_trail_id;

-- One line for every answer that shows a plate or a sharp image, or for a visit of several. Only ever appended to.
create table access_trail (
  -- no identity: a table with one cannot be attached as a partition
  id bigint not null default nextval('access_trail_id'),
  at timestamptz(3) not null,
  -- one of the three; no foreign keys: the line outlives the account
  user_id int,
  system_id int,
  device_id int,
  -- name of the user, system or device, and of the role of the user, as at that time
  user_name text not null,
  role_name text,
  -- of the hash of the token: tells sessions apart and opens none
  session bytea not null,
  ip text,
  -- method and path with the names of its parameters
  call text not null,
  -- number in lookKinds
  kind smallint not null,
  -- number in purposes; null: none was given
  purpose smallint,
  reference text,
  note text,
  -- filters without plates
  criteria jsonb not null,
  -- HMACs of the plates and patterns that were asked for
  asked bytea[],
  -- the same as text, encrypted with the key of the trail
  asked_text bytea,
  -- found in all, and those whose plate was shown
  results int not null,
  plates int not null,
  -- HMACs of the identity forms of the plates that were shown; null: more than 1,000, or none
  shown bytea[],
  -- id and time of the one vehicle that was shown
  vehicle_key text,
  -- further answers belong to this line, until access_visit_end
  is_visit boolean not null default false,
  primary key (at, id)
) partition by range (at);
create index access_trail_of_user on access_trail (user_id, at desc) where user_id is not null;
create index access_trail_of_system on access_trail (system_id, at desc) where system_id is not null;
create index access_trail_shown on access_trail using gin (shown);
create index access_trail_asked on access_trail using gin (asked);
create rule access_trail_is_never_updated as on update to access_trail do instead nothing;
create rule access_trail_is_never_deleted as on delete to access_trail do instead nothing;

-- What a visit showed in all, appended when it has ended.
create table access_visit_end (
  -- of its line in access_trail
  id bigint not null,
  at timestamptz(3) not null,
  ended_at timestamptz(3) not null,
  -- vehicles, and those whose plate was shown
  results int not null,
  plates int not null,
  shown bytea[],
  primary key (at, id)
) partition by range (at);
create index access_visit_end_shown on access_visit_end using gin (shown);
create rule access_visit_end_is_never_updated as on update to access_visit_end do instead nothing;
create rule access_visit_end_is_never_deleted as on delete to access_visit_end do instead nothing;

-- Visits that have not ended.
create table access_visit (
  -- SHA-256 of session, kind and question
  key bytea primary key,
  -- of its line in access_trail
  id bigint not null,
  at timestamptz(3) not null,
  kind smallint not null,
  seen_at timestamptz not null,
  -- as in access_trail
  session bytea not null,
  -- of the live list: its stations, and its filters, encrypted with the key of the trail
  location_ids bigint[],
  filters bytea,
  -- HMACs of the plates shown since; null: more than 1,000
  shown bytea[] default '{}'
);
create index access_visit_by_last_poll on access_visit (seen_at);
create index access_visit_of_session on access_visit (session);

-- Why a session looks for plates, until it says otherwise.
create table access_purpose (
  token_hash bytea primary key references session on delete cascade,
  purpose smallint not null,
  reference text,
  note text,
  until timestamptz not null
);

-- The key of the HMACs of plates, if TRAIL_KEY is not set.
create table access_trail_key (
  is_only boolean primary key default true check (is_only),
  secret bytea not null,
  created_at timestamptz not null default now()
);
