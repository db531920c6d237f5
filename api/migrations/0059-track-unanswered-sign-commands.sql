-- Up Migration

-- When the sign was first told, and whether nobody knows if it obeyed: it did not answer.
alter table vms_command
  add begun_at timestamptz,
  add is_unsettled boolean not null default false;
create index vms_command_unsettled on vms_command (sign_id, id) where is_unsettled;
