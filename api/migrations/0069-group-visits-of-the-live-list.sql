-- Up Migration

-- Visits of a session to the live list from one address: one row for the stations that were opened together, written when
-- the set of stations changes and at the end. Before, each station had a row in `activity` (event type 2), rewritten every
-- 45 s. Those rows stay there and are still shown. A later release drops activity.last_seen_at and activity_one_open_visit.
create table live_visit (
  id bigint primary key generated always as identity,
  user_id int not null,
  ip text not null,
  -- The session; null once the visit has ended.
  token_hash bytea,
  -- In ascending order.
  location_ids int[] not null check (cardinality(location_ids) > 0),
  login_at timestamptz not null,
  -- The last poll of each station, in the order of location_ids, if it is over 30 s old; null: of none. A minute after its
  -- last poll a station has been left.
  left_at timestamptz[] check (cardinality(left_at) = cardinality(location_ids)),
  -- When the stations without a time in left_at were left; null until all of them have been.
  logout_at timestamptz,
  -- The server process that records the polls.
  process uuid not null
);
create index live_visit_by_time on live_visit (login_at, id);
create index live_visit_of_user on live_visit (user_id, login_at, id);
create index live_visit_open on live_visit (token_hash) where logout_at is null;

-- Server processes that record polls, and when they last did: those of a process that died are closed by another one.
create table live_process (
  id uuid primary key,
  seen_at timestamptz not null
);
