-- Up Migration

-- Who an account is at an OpenID Connect provider. Such an account has no password that anybody knows.
create table user_identity (
  issuer text not null,
  -- of the issuer: never changes, and is given to nobody else
  subject text not null,
  user_id int not null unique references app_user,
  -- its id in OIDC_PROVIDERS
  provider text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (issuer, subject)
);

-- Sign-ins and step-ups for which a provider was asked; each is answered once.
create table provider_request (
  -- SHA-256 of a secret that only the browser has which asked; state, nonce and PKCE verifier derive from the secret
  transaction_hash bytea primary key,
  provider text not null,
  -- of the session to step up; null for a sign-in
  token_hash bytea,
  created_at timestamptz not null
);

-- Through which provider a session was opened; null: by the portal itself.
alter table session add column provider text;
