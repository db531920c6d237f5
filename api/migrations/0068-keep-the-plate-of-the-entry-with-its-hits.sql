-- Up Migration

-- The plate that the entry had when the vehicle passed. Null: the hit is older than this column. It is not backfilled: an
-- entry may have been changed since, and its hits are many.
alter table wanted_hit add column entry_plate text;
