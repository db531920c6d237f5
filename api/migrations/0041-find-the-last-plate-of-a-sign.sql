-- Up Migration

-- What stood on a sign last: should it stand there still, it is taken down.
create index vms_plate_of_sign on vms_plate (sign_id, id);
