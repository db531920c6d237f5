-- Up Migration

-- A finish date that was recorded by mistake stays with who revoked it and why, and counts no more.
alter table calibration_finish
  add revoked_at timestamptz,
  add revoked_by text,
  add revoke_reason text;
