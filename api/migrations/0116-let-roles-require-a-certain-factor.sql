-- Up Migration

-- Which second factor the users of a role need, where requires_factor: passkey, or provider for a sign-in through one;
-- null: any. The previous version demands any.
alter table role add column required_factor text check (required_factor in ('passkey', 'provider'));
