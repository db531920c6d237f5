-- Up Migration

-- Event type 3: the name of the variant that was enabled, as it was called then; null for a vehicle shown on the sign.
alter table activity add column variant text;
