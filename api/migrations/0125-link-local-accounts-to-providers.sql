-- Up Migration

-- When a local account was linked, which keeps its password and its role; null: a sign-in made the account, without a password.
alter table user_identity add column linked_at timestamptz;

-- The name that the provider had for its user when the account was linked; null: a sign-in made the account.
alter table user_identity add column name text;

-- What an answer of the provider is for: sign-in, step-up or link; null: by token_hash, of the previous version.
alter table provider_request add column purpose text;

-- SHA-256 of the password hash that was verified when a link was asked for in a session; null: for anything else.
alter table provider_request add column password_digest bytea;

-- Through which provider a sign-in began; null: by a password, or by the previous version.
alter table sign_in_pending add column provider text;

-- The second factor that was shown in it, of a sign-in that a link completes.
alter table sign_in_pending add column factor text;

-- When a sign-in began whose time was prolonged for a link; null: it was not.
alter table sign_in_pending add column began_at timestamptz;
