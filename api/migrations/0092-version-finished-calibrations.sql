-- Up Migration

-- Grows with each correction, revocation and restoration, so that nobody overwrites what another user has just changed.
alter table calibration_finish
  add version int not null default 1;
