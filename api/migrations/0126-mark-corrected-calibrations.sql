-- Up Migration

-- The last correction of a calibration: when, by whom and why, and its time before; null: not corrected. Earlier ones are in the
-- audit log.
alter table calibration_finish
  add corrected_at timestamptz,
  add corrected_by text,
  add correct_reason text,
  add corrected_from timestamptz;
