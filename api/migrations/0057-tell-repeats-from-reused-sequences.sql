-- Up Migration

-- First 16 bytes of the SHA-256 of what the station sent: the same sequence and time again is a repeat only with the
-- same content. Null for vehicles stored before; their columns are compared.
alter table vehicle_detail add column digest bytea;
