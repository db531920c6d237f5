-- Up Migration

-- Whether the chainage of the road grows in the direction of travel, from which those of sign and checkpoint follow; null: not
-- known.
alter table location add column chainage_ascends boolean
