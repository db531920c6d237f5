-- Up Migration

-- The authenticator app of an account, which shows codes by time (RFC 6238).
create table authenticator (
  user_id int primary key references app_user,
  -- 20 bytes, encrypted with SECRET_KEY
  secret bytea not null,
  -- time step of the last accepted code: no step is accepted twice
  last_step bigint not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);

-- What a user was shown and has not confirmed with a code yet.
create table authenticator_setup (
  user_id int primary key references app_user,
  -- secret and hashes of the recovery codes, encrypted with SECRET_KEY
  secret bytea not null,
  code_hashes bytea[] not null,
  created_at timestamptz not null
);

-- Each replaces a code of the app once.
create table recovery_code (
  id int generated always as identity primary key,
  user_id int not null references app_user,
  -- SHA-256, encrypted with SECRET_KEY
  code_hash bytea not null,
  used_at timestamptz
);
create index recovery_code_of_user on recovery_code (user_id);

-- Sign-ins whose password was right and whose second factor is awaited.
create table sign_in_pending (
  token_hash bytea primary key,
  user_id int not null references app_user,
  -- SHA-256 of the password hash that matched: a changed password ends it
  password_digest bytea not null,
  created_at timestamptz not null
);

-- The second factor of a session; null: the password alone.
alter table session add column factor text;

-- Whether the users of a role need a second factor, whatever SECOND_FACTOR says.
alter table role add column requires_factor boolean not null default false;
