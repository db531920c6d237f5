-- Up Migration

-- Plates that somebody looks for (type 0, black) or lets pass unmarked (type 1, white). `misread` has the characters
-- that cameras confuse made equal: whatever may match has the same, so one look into its index finds it, and the row
-- itself says whether it forgives the confusion.
create table wanted_plate (
  id bigint primary key generated always as identity,
  created_at timestamptz not null,
  expires_at timestamptz,
  user_id int not null references app_user,
  type_of_list smallint not null check (type_of_list in (0, 1)),
  allow_misread boolean not null default false,
  plate text collate "C" not null,
  misread text collate "C" not null,
  description text not null,
  constraint wanted_plate_once unique (user_id, type_of_list, plate)
);
create index wanted_plate_by_misread on wanted_plate (misread);
create index wanted_plate_by_time on wanted_plate (created_at, id);

-- A passage of a wanted plate, written in the statement that writes the vehicle. It has no key to its entry: an entry
-- that is deleted at that moment must not stop a station's vehicles.
create table wanted_hit (
  created_at timestamptz not null,
  vehicle_id bigint not null,
  wanted_id bigint not null,
  -- somebody saw that it is not the vehicle
  false_at timestamptz,
  location_id int not null,
  false_by int,
  -- as the camera read it
  plate_lpr text not null,
  nationality text,
  lane_number smallint not null,
  primary key (location_id, created_at, vehicle_id, wanted_id)
);
create index wanted_hit_of_plate on wanted_hit (wanted_id, created_at, vehicle_id);

-- Who is told of a hit of their owner's black list: by mail (type 0) or by phone (1). In quiet hours, by the clock of
-- Warsaw, messages wait; they may lie over midnight.
create table wanted_contact (
  id bigint primary key generated always as identity,
  created_at timestamptz not null,
  user_id int not null references app_user,
  type_of_contact smallint not null check (type_of_contact in (0, 1)),
  quiet_from smallint check (quiet_from between 0 and 1439),
  quiet_to smallint check (quiet_to between 0 and 1439),
  contact text not null,
  description text not null,
  check ((quiet_from is null) = (quiet_to is null))
);
create unique index wanted_contact_once on wanted_contact (user_id, type_of_contact, lower(contact));
