-- Up Migration

-- Filters and order of a page under a name. Parameters as in the page's address; a shared view has no plate.
create table saved_view (
  id int generated always as identity primary key,
  user_id int not null references app_user,
  page text not null,
  name text not null,
  search jsonb not null,
  -- length of a range that ends now; null: fixed times in the parameters, or none
  range_minutes int,
  shared boolean not null default false,
  version int not null default 1,
  constraint saved_view_without_plate check (not (shared and search ?| array['plateLpr', 'plates']))
);
create index saved_view_of_user on saved_view (user_id);
create index saved_view_shared on saved_view (id) where shared;

-- The order of each user, of own and shared views.
create table saved_view_place (
  user_id int not null references app_user,
  view_id int not null references saved_view on delete cascade,
  place int not null,
  primary key (user_id, view_id)
);
create index saved_view_place_of_view on saved_view_place (view_id);

-- The view that opens after a user signs in.
create table start_view (
  user_id int primary key references app_user,
  view_id int not null references saved_view on delete cascade
);
create index start_view_of_view on start_view (view_id);
