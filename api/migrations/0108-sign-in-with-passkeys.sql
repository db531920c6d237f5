-- Up Migration

-- Keys of authenticators (WebAuthn), each of which is both factors in one.
create table passkey (
  id int generated always as identity primary key,
  user_id int not null references app_user,
  -- given by the user
  name text not null,
  -- as the authenticator calls it
  credential_id bytea not null unique,
  -- COSE
  public_key bytea not null,
  -- of signatures, as the authenticator counts; 0: it does not
  counter bigint not null,
  transports text[] not null,
  -- the provider of the authenticator keeps a copy
  backed_up boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- a counter that did not grow: there is a copy of the key
  locked_at timestamptz
);
create index passkey_of_user on passkey (user_id);

-- What an authenticator has to sign, once.
create table passkey_challenge (
  challenge bytea primary key,
  purpose text not null,
  -- of the session that asked; null for a sign-in
  token_hash bytea,
  created_at timestamptz not null
);
