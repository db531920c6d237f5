-- Up Migration

-- The ID token of the sign-in through a provider, encrypted: it names the session that is ended there. Null: there is none, or
-- the portal has no key.
alter table session add column id_token bytea;
alter table sign_in_pending add column id_token bytea;
