-- Rows as 0.2.0 wrote them, in the schema of its last migration, 0068-keep-the-plate-of-the-entry-with-its-hits.
-- All passwords are Szlaban-2026-noc; tokens and keys are hashes of session-of-anna, session-of-piotr, report-of-anna,
-- reset-of-anna, key-of-station-12 and key-of-station-45; SECRET_KEY is 32 bytes of 7. The last row is of 30 September
-- 2026, 09:59 UTC. Ids of transactions are those of the database into which this is loaded.

insert into role (id, name, description, permissions, version) values
  (100, 'Dyżurny', null, '{ROLE_1,ROLE_2,ROLE_3,ROLE_4,ROLE_10,ROLE_12,ROLE_13,ROLE_14,ROLE_15,ROLE_17,ROLE_38}', 1);

insert into app_user (id, username, password_hash, password_updated_at, must_change_password, enabled, first_name, last_name, email, phone_number, description, company, language, checkpoint_additional_time, created_at, organization, send_user_logs_to_server, ticket, last_login_at, version, deleted_at) values
  (100, 'admin', '$argon2id$v=19$m=19456,t=2,p=1$z7qr4j0us5RilNE/P1vY5Q$cxESKPz95TLOZvuKAGyV6eN2taYHZd162Qk+g1roySE', '2026-08-15 08:00:00Z', false, true, 'Administrator', 'Rogatka', null, null, null, null, 'pl', 60, '2026-08-15 08:00:00Z', null, false, false, '2026-09-14 06:13:00Z', 1, null),
  (101, 'anna', '$argon2id$v=19$m=19456,t=2,p=1$8FL209KSno3OYUyq96OlQg$h3w6MYMHzFl/Ozy5P5J4XEpAXBdq2nla44CZWz2U94g', '2026-08-15 08:00:00Z', false, true, 'anna', 'Testowa', 'anna@example.org', '+48600100200', 'Dyżurna WITD', null, 'pl', 60, '2026-08-15 08:00:00Z', null, true, true, '2026-09-30 09:59:00Z', 1, null),
  (102, 'jan', '$argon2id$v=19$m=19456,t=2,p=1$pow0cgTk9uvPi8LngXftSg$bucAbZrKf8KWTFyn+/vfO5wvUpCFQHJFuI1Ie3QjfCg', '2026-08-15 08:00:00Z', false, false, 'jan', 'Testowa', 'jan@example.org', '+48600100200', null, null, 'pl', 60, '2026-08-15 08:00:00Z', null, false, false, null, 1, null),
  (103, 'ewa', '$argon2id$v=19$m=19456,t=2,p=1$qCbl/P5uzHBeZgEnOE9R9Q$6QNr2IfhKZ/YS7iG+mYFhBb7uNnU2pQEcR9pPBcdKIg', '2026-08-15 08:00:00Z', false, false, 'ewa', 'Testowa', 'ewa@example.org', '+48600100200', null, 'GITD', 'pl', 60, '2026-08-15 08:00:00Z', 'Zarząd Dróg Testowych', false, false, null, 3, '2026-08-15 08:00:00Z'),
  (104, 'Piotr', '$argon2id$v=19$m=19456,t=2,p=1$z7qr4j0us5RilNE/P1vY5Q$cxESKPz95TLOZvuKAGyV6eN2taYHZd162Qk+g1roySE', null, true, true, null, null, null, null, null, null, 'en', 600, '2026-08-15 08:00:00Z', null, false, false, null, 1, null);

insert into user_role (user_id, role_id, place) values
  (100, 8, 1),
  (101, 100, 1),
  (102, 3, 1),
  (103, 1, 1),
  (104, 2, 1),
  (104, 4, 2);

insert into session (token_hash, user_id, created_at, last_seen_at, ip, user_agent, activity_id) values
  ('\x04439688c04d2b4f7a80faa17d4b9c89457d3e215816dcd6a3f8b5bcba2f7245', 101, '2026-09-14 06:10:00Z', '2026-09-14 06:13:00Z', '127.0.0.1', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/142.0', 4),
  ('\x046d475aeb18ca6798cbfb1916948082895f3ec5de592129567df9682a8156d0', 101, '2026-09-30 09:59:00Z', '2026-09-30 09:59:00Z', '127.0.0.1', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/142.0', 12),
  ('\x058ab930cb8c463bf71d9fec267dee39c026638f0a89ea2527fd5fa29f09d1e4', 100, '2026-08-15 08:00:00Z', '2026-08-15 08:00:00Z', '127.0.0.1', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/142.0', 1),
  ('\x29d8ab5886b8edc1494c4133e766b192cfda1ad5d7dece9f3ec5565930fd13d8', 101, '2026-08-15 08:00:00Z', '2026-08-15 08:00:00Z', '127.0.0.1', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/142.0', 2),
  ('\x36f288614aceddcb1824117d2f76850206de778174cff9a98473339c6fe3abb8', 100, '2026-09-14 05:00:30Z', '2026-09-14 05:00:30Z', '127.0.0.1', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/142.0', 3),
  ('\x535977837d0a518f633493440f9e9af044aa8e6cef6331a4eea7f1a87615338b', 104, '2026-09-30 09:58:00Z', '2026-09-30 09:58:00Z', '::1', null, null),
  ('\x6eb2ead8b84b5e3e9ea441b34a455ba4c517500273cbe66f2eb99951a831f3fe', 100, '2026-09-14 06:13:00Z', '2026-09-14 06:13:00Z', '127.0.0.1', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/142.0', 6),
  ('\xa109e356c1aa54114d499265c4289b6b3f21d9e2c90476d13851f7463e71a6c8', 101, '2026-09-14 06:10:00Z', '2026-09-14 06:13:00Z', '127.0.0.1', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/142.0', 5);

insert into login_failure (id, username, ip, failed_at) overriding system value values
  (9, 'jan', '127.0.0.1', '2026-09-30 09:59:00Z'),
  (10, 'nobody', '127.0.0.1', '2026-09-30 09:59:00Z');

insert into activity (id, user_id, event_type, location_id, vms_id, login_at, logout_at, last_seen_at, created_at, ip, variant) overriding system value values
  (1, 100, 1, null, null, '2026-08-15 08:00:00Z', null, null, '2026-08-15 08:00:00Z', '127.0.0.1', null),
  (2, 101, 1, null, null, '2026-08-15 08:00:00Z', null, null, '2026-08-15 08:00:00Z', '127.0.0.1', null),
  (3, 100, 1, null, null, '2026-09-14 05:00:30Z', null, null, '2026-09-14 05:00:30Z', '127.0.0.1', null),
  (4, 101, 1, null, null, '2026-09-14 06:10:00Z', null, null, '2026-09-14 06:10:00Z', '127.0.0.1', null),
  (5, 101, 1, null, null, '2026-09-14 06:10:00Z', null, null, '2026-09-14 06:10:00Z', '127.0.0.1', null),
  (6, 100, 1, null, null, '2026-09-14 06:13:00Z', null, null, '2026-09-14 06:13:00Z', '127.0.0.1', null),
  (7, 101, 1, null, null, '2026-09-30 09:59:00Z', '2026-09-30 09:59:00Z', null, '2026-09-30 09:59:00Z', '127.0.0.1', null),
  (8, 101, 2, 12, null, '2026-09-30 09:59:00Z', '2026-09-30 09:59:00Z', '2026-09-30 09:59:00Z', '2026-09-30 09:59:00Z', '127.0.0.1', null),
  (9, 101, 3, 12, 2, '2026-09-30 09:59:00Z', null, null, '2026-09-30 09:59:00Z', '127.0.0.1', 'Kontrola'),
  (10, 101, 3, 12, 1, '2026-09-30 09:59:00Z', null, null, '2026-09-30 09:59:00Z', '127.0.0.1', 'Kontrola'),
  (11, 101, 3, 12, 2, '2026-09-30 09:59:00Z', null, null, '2026-09-30 09:59:00Z', '127.0.0.1', null),
  (12, 101, 1, null, null, '2026-09-30 09:59:00Z', null, null, '2026-09-30 09:59:00Z', '127.0.0.1', null),
  (13, 101, 2, 12, null, '2026-09-30 09:59:00Z', null, '2026-09-30 09:59:00Z', '2026-09-30 09:59:00Z', '127.0.0.1', null);

insert into location (id, short_name, name, road_number, chainage, direction, speed_limit, speed_limit_heavy, distance_to_sign, distance_to_checkpoint, added_at) values
  (12, 'S8 Radzymin', 'Radzymin, węzeł Wschód', 'S8', '12+300', 'Warszawa', 120, 80, 1200, 5400, '2026-08-15 08:00:00Z'),
  (45, 'DK92 Błonie', 'Błonie', 'DK92', '444+150', 'Poznań', null, null, null, null, '2026-08-15 08:00:00Z');

insert into lane (location_id, lane_number, accuracy_class) values
  (12, 1, 'B+(7)'),
  (12, 2, null),
  (45, 1, 'A(5)');

insert into station_key (key_hash, location_id, created_at) values
  ('\x19ecb8e690794cb2f2c75b2ed465886cb552f6bdfe4db144a76dd2e613d6bc21', 12, '2026-08-15 08:00:00Z'),
  ('\xdc406e21ecb6910a5def317fe0c056c6e95fef5c87d53f6c14e1d882a1a68233', 45, '2026-08-15 08:00:00Z');

insert into location_activity (location_id, last_vehicle_time) values
  (12, '2026-09-30 09:58:50Z'),
  (45, '2026-09-30 09:50:00Z');

insert into legal_limits (location_id, valid_from, limits, source) values
  (0, '2000-01-01', '{"axle": {"driving": 11500, "nonDriving": 10000}, "gross": [{"kinds": ["motorcycle"], "limit": null}, {"kinds": ["car", "van"], "limit": 3500}, {"kinds": ["carWithTrailer"], "limit": 7000}, {"axles": {"max": 2}, "kinds": ["rigid"], "limit": 18000}, {"axles": {"max": 3, "min": 3}, "kinds": ["rigid"], "limit": 26000}, {"axles": {"max": 4, "min": 4}, "kinds": ["rigid"], "limit": 32000}, {"axles": {"max": 2}, "kinds": ["bus"], "limit": 19500}, {"axles": {"max": 3, "min": 3}, "kinds": ["bus"], "limit": 28000, "articulatedBus": true}, {"axles": {"max": 3, "min": 3}, "kinds": ["bus"], "limit": 26000}, {"axles": {"max": 4, "min": 4}, "kinds": ["bus"], "limit": 32000}, {"axles": {"max": 3, "min": 3}, "kinds": ["roadTrain", "articulated"], "limit": 28000}, {"axles": {"max": 4, "min": 4}, "kinds": ["roadTrain"], "limit": 36000}, {"axles": {"max": 4, "min": 4}, "kinds": ["articulated"], "limit": 38000, "trailerGap": {"min": 181}}, {"axles": {"max": 4, "min": 4}, "kinds": ["articulated"], "limit": 36000}, {"axles": {"max": 2}, "limit": 19500}, {"axles": {"max": 3, "min": 3}, "limit": 28000}, {"axles": {"max": 4, "min": 4}, "limit": 38000}, {"axles": {"min": 5}, "limit": 40000}], "group": [{"gap": {"max": 99}, "part": "motor", "axles": 2, "limit": 11500}, {"gap": {"max": 129, "min": 100}, "part": "motor", "axles": 2, "limit": 16000}, {"gap": {"min": 130}, "part": "motor", "axles": 2, "limit": 19000}, {"gap": {"max": 99}, "part": "trailer", "axles": 2, "limit": 11000}, {"gap": {"max": 129, "min": 100}, "part": "trailer", "axles": 2, "limit": 16000}, {"gap": {"max": 179, "min": 130}, "part": "trailer", "axles": 2, "limit": 18000}, {"gap": {"min": 180}, "part": "trailer", "axles": 2, "limit": 20000}, {"gap": {"max": 130}, "part": "trailer", "axles": 3, "limit": 21000}, {"gap": {"max": 140, "min": 131}, "part": "trailer", "axles": 3, "limit": 24000}], "speed": {"bus": {"limit": 100, "roadsFrom": 120}, "heavyKinds": ["carWithTrailer", "rigid", "roadTrain", "articulated", "bus"]}, "height": [{"limit": 400}], "length": [{"kinds": ["motorcycle", "car", "van", "rigid"], "limit": 1200}, {"kinds": ["articulated"], "limit": 1650}, {"kinds": ["carWithTrailer", "roadTrain"], "limit": 1875}, {"kinds": ["bus"], "limit": 1875, "articulatedBus": true}, {"axles": {"max": 2}, "kinds": ["bus"], "limit": 1350}, {"axles": {"min": 3}, "kinds": ["bus"], "limit": 1500}, {"limit": 1875}], "source": "Directive 96/53/EC as amended by 2002/7/EC and (EU) 2015/719; Polish technical conditions of vehicles and Road Traffic Act"}', 'Directive 96/53/EC as amended by 2002/7/EC and (EU) 2015/719; Polish technical conditions of vehicles and Road Traffic Act');

create table vehicle_2026_08 (like vehicle including all)
  with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
alter table vehicle attach partition vehicle_2026_08 for values from ('2026-08-01 00:00:00Z') to ('2026-09-01 00:00:00Z');
create table vehicle_detail_2026_08 (like vehicle_detail including all)
  with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
alter table vehicle_detail attach partition vehicle_detail_2026_08 for values from ('2026-08-01 00:00:00Z') to ('2026-09-01 00:00:00Z');
create table vehicle_image_2026_08 (like vehicle_image including all)
  with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
alter table vehicle_image attach partition vehicle_image_2026_08 for values from ('2026-08-01 00:00:00Z') to ('2026-09-01 00:00:00Z');
create table vehicle_2026_09 (like vehicle including all)
  with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
alter table vehicle attach partition vehicle_2026_09 for values from ('2026-09-01 00:00:00Z') to ('2026-10-01 00:00:00Z');
create table vehicle_detail_2026_09 (like vehicle_detail including all)
  with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
alter table vehicle_detail attach partition vehicle_detail_2026_09 for values from ('2026-09-01 00:00:00Z') to ('2026-10-01 00:00:00Z');
create table vehicle_image_2026_09 (like vehicle_image including all)
  with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
alter table vehicle_image attach partition vehicle_image_2026_09 for values from ('2026-09-01 00:00:00Z') to ('2026-10-01 00:00:00Z');
create table vehicle_2026_10_01_4 (like vehicle including all)
  with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
alter table vehicle attach partition vehicle_2026_10_01_4 for values from ('2026-10-01 00:00:00Z') to ('2026-10-05 00:00:00Z');
create table vehicle_detail_2026_10_01_4 (like vehicle_detail including all)
  with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
alter table vehicle_detail attach partition vehicle_detail_2026_10_01_4 for values from ('2026-10-01 00:00:00Z') to ('2026-10-05 00:00:00Z');
create table vehicle_image_2026_10_01_4 (like vehicle_image including all)
  with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
alter table vehicle_image attach partition vehicle_image_2026_10_01_4 for values from ('2026-10-01 00:00:00Z') to ('2026-10-05 00:00:00Z');
create table vehicle_2026_10_05_7 (like vehicle including all)
  with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
alter table vehicle attach partition vehicle_2026_10_05_7 for values from ('2026-10-05 00:00:00Z') to ('2026-10-12 00:00:00Z');
create table vehicle_detail_2026_10_05_7 (like vehicle_detail including all)
  with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
alter table vehicle_detail attach partition vehicle_detail_2026_10_05_7 for values from ('2026-10-05 00:00:00Z') to ('2026-10-12 00:00:00Z');
create table vehicle_image_2026_10_05_7 (like vehicle_image including all)
  with (autovacuum_vacuum_insert_threshold = 50000, autovacuum_vacuum_insert_scale_factor = 0);
alter table vehicle_image attach partition vehicle_image_2026_10_05_7 for values from ('2026-10-05 00:00:00Z') to ('2026-10-12 00:00:00Z');

insert into vehicle (created_at, id, checkpoint_time, vms_readable_at, received_at, location_id, total_load, limit_total_load, overload_sa, overload_ma, overload_tl, lane_number, speed, speed_limit, veh_length, veh_height, limit_height, limit_length, number_of_axles, ctg8p1, ctg323, violations, plate_lpr, nationality) values
  ('2026-08-15 09:10:00Z', 13194139533313, '2026-08-15 09:13:36Z', '2026-08-15 09:10:48Z', '2026-08-15 09:11:00Z', 12, 1500, 3500, 0, 0, 0, 1, 90, 120, 450, 150, 400, 1200, 2, 7, 1, 0, 'WX10001', 'PL'),
  ('2026-08-31 21:59:30Z', 13194139533314, null, null, '2026-08-31 22:31:00Z', 12, 1500, 3500, 0, 0, 0, 1, 0, 120, 450, 150, 400, 1200, 2, 7, 1, 0, null, 'PL'),
  ('2026-08-31 22:30:00Z', 13194139533315, null, null, '2026-08-31 22:31:00Z', 12, 1500, 3500, null, null, null, 2, null, 120, 450, 150, 400, 1200, 2, 7, 1, 0, 'LBK221', 'LT'),
  ('2026-09-14 06:05:00.25Z', 13194139533316, '2026-09-14 06:08:48.956Z', '2026-09-14 06:05:51.074Z', '2026-09-14 06:10:00Z', 12, 44700, 40000, 26, 0, 44, 1, 85, 80, 1650, 398, 400, 1650, 5, 9, 5, 5, 'WPR8K47M', 'PL'),
  ('2026-09-14 06:06:00Z', 13194139533317, '2026-09-14 07:54:00Z', '2026-09-14 06:30:00Z', '2026-09-14 06:10:00Z', 12, 1500, 3500, 0, 0, 0, 1, 3, 120, 450, 150, 400, 1200, 2, 7, 1, 0, null, 'PL'),
  ('2026-09-14 06:07:00Z', 13194139533318, null, null, '2026-09-14 06:10:00Z', 12, null, null, null, null, null, 2, null, 120, null, null, 400, 1875, null, 0, null, 16, null, null),
  ('2026-09-14 06:08:00Z', 13194139533319, '2026-09-14 06:10:19.856Z', '2026-09-14 06:08:31.079Z', '2026-09-14 06:10:00Z', 12, 1500, 3500, 0, 0, 0, 1, 139, 120, 450, 150, 400, 1200, 2, 7, 1, 12, 'WX10007', 'PL'),
  ('2026-09-14 06:09:00Z', 13194139533313, '2026-09-14 06:12:36Z', '2026-09-14 06:09:48Z', '2026-09-14 06:10:00Z', 12, 1500, 3500, 0, 0, 0, 1, 90, 120, 450, 150, 400, 1200, 2, 7, 1, 0, 'WX10009', 'PL'),
  ('2026-09-30 09:50:00Z', 49478023249921, null, null, '2026-09-30 09:59:00Z', 45, null, 3500, null, null, null, 1, 101, null, 450, null, 400, 1200, null, 7, 1, 0, 'WPRBK47M', null),
  ('2026-09-30 09:58:50Z', 13194139533320, '2026-09-30 10:02:26Z', '2026-09-30 09:59:38Z', '2026-09-30 09:59:00Z', 12, 1500, 3500, 0, 0, 0, 1, 90, 120, 450, 150, 400, 1200, 2, 7, 1, 0, 'PO7XA93', 'PL');

insert into vehicle_detail (created_at, id, location_id, accuracy_class, axles, axle_groups, shape, euro, digest) values
  ('2026-08-15 09:10:00Z', 13194139533313, 12, 'B+(7)', '{1,400,410,0,10000,0,1,350,340,260,11500,0}', '{1,1,810,10000,0,2,1,690,11500,0}', '\x280096005a00', null, null),
  ('2026-08-31 21:59:30Z', 13194139533314, 12, 'B+(7)', '{1,400,410,0,10000,0,1,350,340,260,11500,0}', '{1,1,810,10000,0,2,1,690,11500,0}', '\x280096005a00', null, '\xff5922e7ed93504c3762b407f5087c6b'),
  ('2026-08-31 22:30:00Z', 13194139533315, 12, null, '{1,400,410,0,10000,0,1,350,340,260,11500,0}', '{1,1,810,10000,0,2,1,690,11500,0}', '\x280096005a00', null, '\xef0beb6b126376ec080d20cdefc30726'),
  ('2026-09-14 06:05:00.25Z', 13194139533316, 12, 'B+(7)', '{1,3000,3100,0,10000,0,1,6500,6600,374,11500,26,3,4200,4300,567,0,0,3,4200,4300,131,0,0,3,4200,4300,131,0,0}', '{1,1,6100,10000,0,2,1,13100,11500,26,3,3,25500,24000,0}', '\x05014e015801', '{"make": "Volvo", "model": "FH 500", "euro_norm": "6"}', '\x152b021afe0edebf5e3f000ccbbaceda'),
  ('2026-09-14 06:06:00Z', 13194139533317, 12, 'B+(7)', '{1,400,410,0,10000,0,1,350,340,260,11500,0}', '{1,1,810,10000,0,2,1,690,11500,0}', '\x280096005a00', null, '\x300f2387849bb6dc55c27d20054a36bb'),
  ('2026-09-14 06:07:00Z', 13194139533318, 12, null, null, null, null, null, '\xaeb3a80a3541bf07c88a46eda651e44b'),
  ('2026-09-14 06:08:00Z', 13194139533319, 12, 'B+(7)', '{1,400,410,0,10000,0,1,350,340,260,11500,0}', '{1,1,810,10000,0,2,1,690,11500,0}', '\x280096005a00', null, '\x26e806ada54a18aac4de653c54f7261b'),
  ('2026-09-14 06:09:00Z', 13194139533313, 12, 'B+(7)', '{1,400,410,0,10000,0,1,350,340,260,11500,0}', '{1,1,810,10000,0,2,1,690,11500,0}', '\x280096005a00', null, '\x41d60e27dba529ea4742cd77cf105366'),
  ('2026-09-30 09:50:00Z', 49478023249921, 45, 'A(5)', null, null, null, null, '\x229c55b3c1a4540c74bd524ce60f847a'),
  ('2026-09-30 09:58:50Z', 13194139533320, 12, 'B+(7)', '{1,400,410,0,10000,0,1,350,340,260,11500,0}', '{1,1,810,10000,0,2,1,690,11500,0}', '\x280096005a00', null, '\xcedd6d6bc080802c9bbe2fe830e796b7');

insert into vehicle_image (created_at, id, received_at, location_id, size, type, sha256) values
  ('2026-09-14 06:08:00Z', 13194139533319, '2026-09-14 06:10:00Z', 12, 286, 1, '\x1daaa33a871065f805dc365eab2c96b2363086bb4f67bd3d9317ca0b0b327ab5'),
  ('2026-09-14 06:08:00Z', 13194139533319, '2026-09-14 06:10:00Z', 12, 286, 4, '\x07d97fc895ebe759393c075583c8413f366864e4b26217dce781d38cbfcfb401');

insert into tag (id, created_at, vehicle_id, location_id, user_id, type, private, data, description) overriding system value values
  (2, '2026-09-14 06:05:00.25Z', 13194139533316, 12, 101, 1, true, 'do kontroli', 'Tag'),
  (1, '2026-09-14 06:08:00Z', 13194139533319, 12, 101, 1, true, null, 'Normal tag');

insert into traffic_hour (hour, speed_sum, slowness_sum, load_sum, location_id, vehicles, speeds, loads, load_min, load_max, speed_min, speed_max, lane_number, ctg8p1, violations, speed_range, overspeed_range) values
  ('2026-06-10 10:00:00Z', 0, 0, 3000, 12, 2, 0, 2, 1500, 1500, null, null, 1, 7, 0, 0, 0),
  ('2026-06-10 10:00:00Z', 840, 171432, 15000, 12, 12, 12, 10, 1400, 1600, 70, 70, 1, 7, 0, 4, 0),
  ('2026-08-15 09:00:00Z', 90, 11111, 1500, 12, 1, 1, 1, 1500, 1500, 90, 90, 1, 7, 0, 6, 0),
  ('2026-08-31 21:00:00Z', 0, 0, 1500, 12, 1, 0, 1, 1500, 1500, null, null, 1, 7, 0, 0, 0),
  ('2026-08-31 22:00:00Z', 0, 0, 1500, 12, 1, 0, 1, 1500, 1500, null, null, 2, 7, 0, 0, 0),
  ('2026-09-14 06:00:00Z', 3, 200000, 1500, 12, 1, 1, 1, 1500, 1500, 3, 3, 1, 7, 0, 1, 0),
  ('2026-09-14 06:00:00Z', 90, 11111, 1500, 12, 1, 1, 1, 1500, 1500, 90, 90, 1, 7, 0, 6, 0),
  ('2026-09-14 06:00:00Z', 139, 7194, 1500, 12, 1, 1, 1, 1500, 1500, 139, 139, 1, 7, 12, 10, 2),
  ('2026-09-14 06:00:00Z', 85, 11765, 44700, 12, 1, 1, 1, 44700, 44700, 85, 85, 1, 9, 5, 5, 1),
  ('2026-09-14 06:00:00Z', 0, 0, 0, 12, 1, 0, 0, null, null, null, null, 2, 0, 16, 0, 0),
  ('2026-09-30 09:00:00Z', 90, 11111, 1500, 12, 1, 1, 1, 1500, 1500, 90, 90, 1, 7, 0, 6, 0),
  ('2026-09-30 09:00:00Z', 101, 9901, 0, 45, 1, 1, 0, null, null, 101, 101, 1, 7, 0, 7, 0);

insert into quarantine (id, received_at, location_id, digest, measurement, errors) overriding system value values
  (1, '2026-09-14 06:10:00Z', 12, '\xd9611376cb0cea02aab72b21fdd4cac9f57ae88074f3dcc429b9975f8ab9afd5', '{"plateLpr": "WX 1", "sequence": 0, "createdAt": "nie"}', '[{"code": "value-too-small", "path": "sequence"}, {"code": "invalid-date", "path": "createdAt"}, {"code": "required-parameter-missing", "path": "laneNumber"}]');

update archive_progress set through = pg_current_xact_id()::text::bigint;

insert into arrival (hour, written_by, location_id) values
  ('2026-08-15 09:00:00Z', 1, 12),
  ('2026-08-31 21:00:00Z', 1, 12),
  ('2026-08-31 22:00:00Z', 1, 12),
  ('2026-09-14 06:00:00Z', 1, 12),
  ('2026-09-30 09:00:00Z', pg_current_xact_id()::text::bigint, 12),
  ('2026-09-30 09:00:00Z', pg_current_xact_id()::text::bigint, 45);

insert into vehicle_day (day, location_id, vehicles, dimensions, lane_number, ctg8p1, violations) values
  ('2026-08-15', 12, 1, 0, -1, -1, -1),
  ('2026-08-31', 12, 2, 0, -1, -1, -1),
  ('2026-09-14', 12, 5, 0, -1, -1, -1),
  ('2026-08-15', 12, 1, 1, 1, -1, -1),
  ('2026-08-31', 12, 1, 1, 1, -1, -1),
  ('2026-08-31', 12, 1, 1, 2, -1, -1),
  ('2026-09-14', 12, 4, 1, 1, -1, -1),
  ('2026-09-14', 12, 1, 1, 2, -1, -1),
  ('2026-08-15', 12, 1, 2, -1, 7, -1),
  ('2026-08-31', 12, 2, 2, -1, 7, -1),
  ('2026-09-14', 12, 1, 2, -1, 0, -1),
  ('2026-09-14', 12, 3, 2, -1, 7, -1),
  ('2026-09-14', 12, 1, 2, -1, 9, -1),
  ('2026-08-15', 12, 1, 4, -1, -1, 0),
  ('2026-08-31', 12, 2, 4, -1, -1, 0),
  ('2026-09-14', 12, 2, 4, -1, -1, 0),
  ('2026-09-14', 12, 1, 4, -1, -1, 5),
  ('2026-09-14', 12, 1, 4, -1, -1, 12),
  ('2026-09-14', 12, 1, 4, -1, -1, 16),
  ('2026-08-15', 12, 1, 7, 1, 7, 0),
  ('2026-08-31', 12, 1, 7, 1, 7, 0),
  ('2026-08-31', 12, 1, 7, 2, 7, 0),
  ('2026-09-14', 12, 2, 7, 1, 7, 0),
  ('2026-09-14', 12, 1, 7, 1, 7, 12),
  ('2026-09-14', 12, 1, 7, 1, 9, 5),
  ('2026-09-14', 12, 1, 7, 2, 0, 16);

insert into plate (plate, misread, last_seen) values
  ('LBK221', 'L8K221', '2026-08-01'),
  ('WPR8K47M', 'WPR8K47M', '2026-09-01'),
  ('WX10001', 'WX10001', '2026-08-01'),
  ('WX10007', 'WX10007', '2026-09-01'),
  ('WX10009', 'WX10009', '2026-09-01');

insert into report_link (token_hash, user_id, kind, query, language, expires_at) values
  ('\xfe607a16f91689a6609284329d042cc02a0a0a3f801c6b82f34ad5d0c431e9d4', 101, 'archive-list', '{"search": {"minSpeed": 100, "locations": ["12", "45"], "dateTimeEnd": "2026-10-01T00:00:00.000Z", "dateTimeStart": "2026-09-01T00:00:00.000Z", "orderDirection1": "desc", "orderDirection2": "desc", "orderDirection3": "desc", "orderByColumnName1": "speed"}, "withTags": false, "reportType": "csv"}', 'pl', '2026-09-30 10:14:00Z');

insert into traffic_day (speed_sum, slowness_sum, load_sum, location_id, day, vehicles, speeds, loads, load_min, load_max, speed_min, speed_max, lane_number, ctg8p1, violations, speed_range, overspeed_range) values
  (0, 0, 3000, 12, '2026-06-10', 2, 0, 2, 1500, 1500, null, null, 1, 7, 0, 0, 0),
  (840, 171432, 15000, 12, '2026-06-10', 12, 12, 10, 1400, 1600, 70, 70, 1, 7, 0, 4, 0),
  (90, 11111, 1500, 12, '2026-08-15', 1, 1, 1, 1500, 1500, 90, 90, 1, 7, 0, 6, 0),
  (0, 0, 1500, 12, '2026-08-31', 1, 0, 1, 1500, 1500, null, null, 1, 7, 0, 0, 0),
  (0, 0, 1500, 12, '2026-09-01', 1, 0, 1, 1500, 1500, null, null, 2, 7, 0, 0, 0);

insert into traffic_month (speed_sum, slowness_sum, load_sum, location_id, month, vehicles, speeds, loads, load_min, load_max, speed_min, speed_max, lane_number, ctg8p1, violations, speed_range, overspeed_range) values
  (0, 0, 3000, 12, '2026-06-01', 2, 0, 2, 1500, 1500, null, null, 1, 7, 0, 0, 0),
  (840, 171432, 15000, 12, '2026-06-01', 12, 12, 10, 1400, 1600, 70, 70, 1, 7, 0, 4, 0),
  (0, 0, 1500, 12, '2026-08-01', 1, 0, 1, 1500, 1500, null, null, 1, 7, 0, 0, 0),
  (90, 11111, 1500, 12, '2026-08-01', 1, 1, 1, 1500, 1500, 90, 90, 1, 7, 0, 6, 0);

insert into traffic_mark (id, location_id, day) overriding system value values
  (4, 12, '2026-09-14'),
  (5, 12, '2026-09-30'),
  (6, 45, '2026-09-30');

insert into calibration_finish (finished_at, entered_at, location_id, user_id, lane_number, username, revoked_at, revoked_by, revoke_reason) values
  ('2026-06-01 10:00:00Z', '2026-06-01 10:05:00Z', 12, 103, 1, 'ewa', null, null, null),
  ('2026-09-14 05:00:00Z', '2026-09-14 05:00:30Z', 12, 100, 1, 'admin', null, null, null),
  ('2026-09-14 06:00:00Z', '2026-09-14 06:13:00Z', 12, 100, 1, 'admin', '2026-09-14 06:13:00Z', 'admin', 'Zły pas'),
  ('2026-09-14 05:00:00Z', '2026-09-14 05:00:30Z', 12, 100, 2, 'admin', null, null, null);

insert into calibration_reference (finished_at, load_sum, load_square_sum, location_id, vehicles, lane_number) values
  ('2026-06-01 10:00:00Z', 610000, 3721000000, 12, 100, 1);

insert into audit (id, at, user_id, ip, action, subject, before, after, ticket_id) overriding system value values
  (1, '2026-08-15 08:00:00Z', 100, '127.0.0.1', 'role-added', 'Dyżurny', null, '{"name": "Dyżurny", "description": null, "permissions": ["ROLE_1", "ROLE_2", "ROLE_3", "ROLE_4", "ROLE_10", "ROLE_12", "ROLE_13", "ROLE_14", "ROLE_15", "ROLE_17", "ROLE_38"]}', null),
  (2, '2026-08-15 08:00:00Z', 100, '127.0.0.1', 'user-added', 'anna', null, '{"email": "anna@example.org", "roles": [{"id": 100, "name": "Dyżurny"}], "ticket": true, "company": null, "enabled": true, "lastName": "Testowa", "username": "anna", "firstName": "anna", "description": "Dyżurna WITD", "phoneNumber": "+48600100200", "organization": null, "phoneNumberDir": "+48", "passwordUpdatedAt": "2026-08-15T08:00:00.000Z", "mustChangePassword": false, "sendUserLogsToServer": true, "checkpointAdditionalTime": 60}', null),
  (3, '2026-08-15 08:00:00Z', 100, '127.0.0.1', 'user-added', 'jan', null, '{"email": "jan@example.org", "roles": [{"id": 3, "name": "Analityk danych zanonimizowanych"}], "ticket": false, "company": null, "enabled": false, "lastName": "Testowa", "username": "jan", "firstName": "jan", "description": null, "phoneNumber": "+48600100200", "organization": null, "phoneNumberDir": "+48", "passwordUpdatedAt": "2026-08-15T08:00:00.000Z", "mustChangePassword": false, "sendUserLogsToServer": false, "checkpointAdditionalTime": 60}', null),
  (4, '2026-08-15 08:00:00Z', 100, '127.0.0.1', 'user-added', 'ewa', null, '{"email": "ewa@example.org", "roles": [{"id": 1, "name": "Operator"}], "ticket": false, "company": null, "enabled": true, "lastName": "Testowa", "username": "ewa", "firstName": "ewa", "description": null, "phoneNumber": "+48600100200", "organization": null, "phoneNumberDir": "+48", "passwordUpdatedAt": "2026-08-15T08:00:00.000Z", "mustChangePassword": false, "sendUserLogsToServer": false, "checkpointAdditionalTime": 60}', null),
  (5, '2026-08-15 08:00:00Z', 100, '127.0.0.1', 'user-changed', 'ewa', '{"email": "ewa@example.org", "roles": [{"id": 1, "name": "Operator"}], "ticket": false, "company": null, "enabled": true, "lastName": "Testowa", "username": "ewa", "firstName": "ewa", "description": null, "phoneNumber": "+48600100200", "organization": null, "phoneNumberDir": "+48", "passwordUpdatedAt": "2026-08-15T08:00:00.000Z", "mustChangePassword": false, "sendUserLogsToServer": false, "checkpointAdditionalTime": 60}', '{"email": "ewa@example.org", "roles": [{"id": 1, "name": "Operator"}], "ticket": false, "company": "GITD", "enabled": true, "lastName": "Testowa", "username": "ewa", "firstName": "ewa", "description": null, "phoneNumber": "+48600100200", "organization": "Zarząd Dróg Testowych", "phoneNumberDir": "+48", "passwordUpdatedAt": "2026-08-15T08:00:00.000Z", "mustChangePassword": false, "sendUserLogsToServer": false, "checkpointAdditionalTime": 60}', null),
  (6, '2026-08-15 08:00:00Z', 100, '127.0.0.1', 'user-deleted', 'ewa', '{"email": "ewa@example.org", "roles": [{"id": 1, "name": "Operator"}], "ticket": false, "company": "GITD", "enabled": true, "lastName": "Testowa", "username": "ewa", "firstName": "ewa", "description": null, "phoneNumber": "+48600100200", "organization": "Zarząd Dróg Testowych", "phoneNumberDir": "+48", "passwordUpdatedAt": "2026-08-15T08:00:00.000Z", "mustChangePassword": false, "sendUserLogsToServer": false, "checkpointAdditionalTime": 60}', null, null),
  (7, '2026-08-15 08:00:00Z', 101, '127.0.0.1', 'wanted-plate-added', 'WPR8K47M', null, '{"owner": "anna", "plateLpr": "WPR8K47M", "createdAt": "2026-08-15T08:00:00.000Z", "expiresAt": null, "typeOfList": 0, "description": "Kradzież pojazdu", "allowMisread": true}', null),
  (8, '2026-08-15 08:00:00Z', 101, '127.0.0.1', 'wanted-plate-added', 'PO7XA93', null, '{"owner": "anna", "plateLpr": "PO7XA93", "createdAt": "2026-08-15T08:00:00.000Z", "expiresAt": "2027-01-01T00:00:00.000Z", "typeOfList": 0, "description": "Przeciążenie", "allowMisread": false}', null),
  (9, '2026-08-15 08:00:00Z', 101, '127.0.0.1', 'wanted-plate-added', 'LBK221', null, '{"owner": "anna", "plateLpr": "LBK221", "createdAt": "2026-08-15T08:00:00.000Z", "expiresAt": null, "typeOfList": 1, "description": "Pojazd służbowy", "allowMisread": false}', null),
  (10, '2026-08-15 08:00:00Z', 101, '127.0.0.1', 'wanted-contact-added', 'dyzurny@example.org', null, '{"owner": "anna", "contact": "dyzurny@example.org", "createdAt": "2026-08-15T08:00:00.000Z", "quietHours": null, "description": "Dyżurny", "typeOfContact": 0}', null),
  (11, '2026-08-15 08:00:00Z', 101, '127.0.0.1', 'wanted-contact-added', '+48600100200', null, '{"owner": "anna", "contact": "+48600100200", "createdAt": "2026-08-15T08:00:00.000Z", "quietHours": {"to": "06:00", "from": "22:00"}, "description": "Patrol", "typeOfContact": 1}', null),
  (12, '2026-09-14 05:00:30Z', 100, '127.0.0.1', 'calibration-finished', 'S8 Radzymin', null, '{"lanes": [1, 2], "finishedAt": "2026-09-14T05:00:00.000Z", "locationId": 12}', null),
  (13, '2026-09-14 06:10:00Z', 101, '127.0.0.1', 'wanted-hit-judged', 'WPR8K47M', null, '{"read": {"plateLpr": "WPR8K47M"}, "falseHit": true, "plateLpr": "WPR8K47M", "createdAt": "2026-09-14T06:05:00.250Z"}', null),
  (14, '2026-09-14 06:10:00Z', 101, '127.0.0.1', 'service-token-saved', 'anna', null, '{"email": "anna@example.org", "stored": true, "expiresAt": "2028-09-14T06:10:00.000Z"}', null),
  (15, '2026-09-14 06:10:00Z', 101, '127.0.0.1', 'ticket-added', '1/2026', null, '{"id": 1, "sign": null, "title": "Kamera", "isOpen": true, "number": "1/2026", "status": "open", "userId": 101, "context": null, "version": 1, "close_at": null, "handleBy": null, "location": null, "created_at": "2026-09-14T06:10:00.000Z", "healthKind": null, "laneNumber": null, "attachments": [{"name": "kamera.jpg", "size": 287, "type": "image/jpeg", "number": 1, "isRefused": false}], "description": "Brak obrazu", "reporterName": "Jan Żak", "serviceOwner": null, "reporterEmail": "jan@example.org", "serviceNumber": null, "organization_id": 1}', 1),
  (16, '2026-09-14 06:10:00Z', 101, '127.0.0.1', 'ticket-added', '2/2026', null, '{"id": 2, "sign": null, "title": "Szafa", "isOpen": true, "number": "2/2026", "status": "open", "userId": 101, "context": null, "version": 1, "close_at": null, "handleBy": "Utrzymanie", "location": null, "created_at": "2026-09-14T06:10:00.000Z", "healthKind": null, "laneNumber": null, "attachments": [], "description": "Uszkodzona szafa sterownicza", "reporterName": "anna Testowa", "serviceOwner": null, "reporterEmail": null, "serviceNumber": null, "organization_id": 1}', 2),
  (17, '2026-09-14 06:13:00Z', 101, '127.0.0.1', 'ticket-changed', '2/2026', '{"id": 2, "sign": null, "title": "Szafa", "isOpen": true, "number": "2/2026", "status": "open", "userId": 101, "context": null, "version": 1, "close_at": null, "handleBy": "Utrzymanie", "location": null, "created_at": "2026-09-14T06:10:00.000Z", "healthKind": null, "laneNumber": null, "attachments": [], "description": "Uszkodzona szafa sterownicza", "reporterName": "anna Testowa", "serviceOwner": null, "reporterEmail": null, "serviceNumber": "77501", "organization_id": 1}', '{"id": 2, "sign": null, "title": "Szafa", "isOpen": false, "number": "2/2026", "status": "closed", "userId": 101, "context": null, "version": 2, "close_at": "2026-09-14T06:13:00.000Z", "handleBy": "Utrzymanie", "location": null, "created_at": "2026-09-14T06:10:00.000Z", "healthKind": null, "laneNumber": null, "attachments": [], "description": "Uszkodzona szafa sterownicza", "reporterName": "anna Testowa", "serviceOwner": null, "reporterEmail": null, "serviceNumber": "77501", "organization_id": 1}', 2),
  (18, '2026-09-14 06:13:00Z', 101, '127.0.0.1', 'ticket-added', '3/2026', null, '{"id": 3, "sign": null, "title": "Waga", "isOpen": true, "number": "3/2026", "status": "open", "userId": 101, "context": null, "version": 1, "close_at": null, "handleBy": null, "location": null, "created_at": "2026-09-14T06:13:00.000Z", "healthKind": null, "laneNumber": null, "attachments": [], "description": "Pas 2 nie waży", "reporterName": "anna Testowa", "serviceOwner": null, "reporterEmail": null, "serviceNumber": null, "organization_id": 1}', 3),
  (19, '2026-09-14 06:13:00Z', 100, '127.0.0.1', 'calibration-finished', 'S8 Radzymin', null, '{"lanes": [1], "finishedAt": "2026-09-14T06:00:00.000Z", "locationId": 12}', null),
  (20, '2026-09-14 06:13:00Z', 100, '127.0.0.1', 'calibration-revoked', 'S8 Radzymin', '{"lanes": [1], "enteredBy": "admin", "finishedAt": "2026-09-14T06:00:00.000Z", "locationId": 12}', '{"reason": "Zły pas"}', null),
  (21, '2026-09-14 06:13:00Z', 101, '127.0.0.1', 'wanted-contact-tested', 'dyzurny@example.org', null, null, null),
  (22, '2026-09-14 06:13:00Z', 101, '127.0.0.1', 'wanted-plate-changed', 'LBK221', '{"owner": "anna", "plateLpr": "LBK221", "createdAt": "2026-08-15T08:00:00.000Z", "expiresAt": null, "typeOfList": 1, "description": "Pojazd służbowy", "allowMisread": false}', '{"owner": "anna", "plateLpr": "LBK221", "createdAt": "2026-08-15T08:00:00.000Z", "expiresAt": null, "typeOfList": 1, "description": "Pojazd służbowy GITD", "allowMisread": false}', null),
  (23, '2026-09-14 06:13:00Z', 101, '127.0.0.1', 'ticket-added', '4/2026', null, '{"id": 4, "sign": "S8 13+200", "title": "Znak", "isOpen": true, "number": "4/2026", "status": "open", "userId": 101, "context": {"page": "/vms", "version": "0.2.0", "listRequests": 5}, "version": 1, "close_at": null, "handleBy": null, "location": {"id": 12, "shortName": "S8 Radzymin"}, "created_at": "2026-09-14T06:13:00.000Z", "healthKind": null, "laneNumber": 1, "attachments": [], "description": "Nie świeci", "reporterName": "anna Testowa", "serviceOwner": null, "reporterEmail": null, "serviceNumber": null, "organization_id": 1}', 4),
  (24, '2026-09-14 06:13:00Z', 101, '127.0.0.1', 'ticket-files-added', '1/2026', '{"attachments": [{"name": "kamera.jpg", "size": 287, "type": "image/jpeg", "number": 1, "isRefused": false}]}', '{"attachments": [{"name": "kamera.jpg", "size": 287, "type": "image/jpeg", "number": 1, "isRefused": false}, {"name": "później.jpg", "size": 287, "type": "image/jpeg", "number": 2, "isRefused": false}]}', 1),
  (25, '2026-09-30 09:59:00Z', 101, '127.0.0.1', 'sign-enabled', 'S8 Radzymin · S8 13+500 · #2', '{"shows": "blank"}', '{"shows": "content", "content": "Na wagę"}', null),
  (26, '2026-09-30 09:59:00Z', 101, '127.0.0.1', 'sign-enabled', 'S8 Radzymin · S8 13+200 · #1', '{"shows": "blank"}', '{"shows": "content", "content": "Waga"}', null),
  (27, '2026-09-30 09:59:00Z', 101, '127.0.0.1', 'sign-plate-shown', 'S8 Radzymin · S8 13+500 · #2', '{"shows": "content", "content": "Na wagę"}', '{"shows": "plate", "vehicle": 13194139533320}', null),
  (28, '2026-09-30 09:59:00Z', 101, '127.0.0.1', 'report-ordered', 'archive-list', null, '{"number": "A8F6-6BB4", "search": {"minSpeed": 100, "locations": ["12", "45"], "dateTimeEnd": "2026-10-01T00:00:00.000Z", "dateTimeStart": "2026-09-01T00:00:00.000Z", "orderDirection1": "desc", "orderDirection2": "desc", "orderDirection3": "desc", "orderByColumnName1": "speed"}, "withTags": false, "reportType": "csv"}', null),
  (29, '2026-09-14 08:00:00Z', null, null, 'ticket-added', '5/2026', null, '{"id": 5, "sign": null, "title": "S8 Radzymin, pas 2: brak przejazdów na pasie", "isOpen": true, "number": "5/2026", "status": "open", "userId": null, "context": null, "version": 1, "close_at": null, "handleBy": null, "location": {"id": 12, "shortName": "S8 Radzymin"}, "created_at": "2026-09-14T08:00:00.000Z", "healthKind": "lane-silent", "laneNumber": 2, "attachments": [], "description": "Ostatni pojazd na tym pasie: 14.09.2026 08:07:00. Od 60 min nic nie przejechało, a zwykle w tym czasie przejeżdża około 13 pojazdów.\nZgłoszenie utworzone automatycznie na podstawie pomiarów (14.09.2026 10:00:00).", "reporterName": null, "serviceOwner": null, "reporterEmail": null, "serviceNumber": null, "organization_id": 1}', 5),
  (30, '2026-09-14 08:00:00Z', null, null, 'ticket-added', '6/2026', null, '{"id": 6, "sign": null, "title": "S8 Radzymin: rozbieżność zegara", "isOpen": true, "number": "6/2026", "status": "open", "userId": null, "context": null, "version": 1, "close_at": null, "handleBy": null, "location": {"id": 12, "shortName": "S8 Radzymin"}, "created_at": "2026-09-14T08:00:00.000Z", "healthKind": "clock-skew", "laneNumber": null, "attachments": [], "description": "Zegar stacji różni się od zegara serwera o 0 s (dodatnie: stacja się spieszy).\nZgłoszenie utworzone automatycznie na podstawie pomiarów (14.09.2026 10:00:00).", "reporterName": null, "serviceOwner": null, "reporterEmail": null, "serviceNumber": null, "organization_id": 1}', 6),
  (31, '2026-09-14 09:30:00Z', null, null, 'ticket-changed', '6/2026', '{"id": 6, "sign": null, "title": "S8 Radzymin: rozbieżność zegara", "isOpen": true, "number": "6/2026", "status": "open", "userId": null, "context": null, "version": 1, "close_at": null, "handleBy": null, "location": {"id": 12, "shortName": "S8 Radzymin"}, "created_at": "2026-09-14T08:00:00.000Z", "healthKind": "clock-skew", "laneNumber": null, "attachments": [], "description": "Zegar stacji różni się od zegara serwera o 0 s (dodatnie: stacja się spieszy).\nZgłoszenie utworzone automatycznie na podstawie pomiarów (14.09.2026 10:00:00).", "reporterName": null, "serviceOwner": null, "reporterEmail": null, "serviceNumber": null, "organization_id": 1}', '{"id": 6, "sign": null, "title": "S8 Radzymin: rozbieżność zegara", "isOpen": false, "number": "6/2026", "status": "closed", "userId": null, "context": null, "version": 2, "close_at": "2026-09-14T09:30:00.000Z", "handleBy": null, "location": {"id": 12, "shortName": "S8 Radzymin"}, "created_at": "2026-09-14T08:00:00.000Z", "healthKind": "clock-skew", "laneNumber": null, "attachments": [], "description": "Zegar stacji różni się od zegara serwera o 0 s (dodatnie: stacja się spieszy).\nZgłoszenie utworzone automatycznie na podstawie pomiarów (14.09.2026 10:00:00).\nStan prawidłowy od 14.09.2026 11:30:00; zgłoszenie zamknięte automatycznie.", "reporterName": null, "serviceOwner": null, "reporterEmail": null, "serviceNumber": null, "organization_id": 1}', 6),
  (32, '2026-09-14 06:14:00Z', null, null, 'ticket-changed', '2/2026', '{"status": "open"}', '{"status": "closed"}', null);

insert into outbox (id, created_at, kind, recipient, language, details, sent_at, attempts, last_error, once, not_before, leased_until, dropped) overriding system value values
  (1, '2026-09-14 06:10:00Z', 'wanted-mail', 'dyzurny@example.org', 'pl', '{"id": 13194139533316, "contactId": 1, "createdAt": "2026-09-14T06:05:00.250Z", "locationId": 12}', '2026-09-14 06:11:00Z', 1, null, 'wanted 1 13194139533316@1789365900250', null, null, true),
  (2, '2026-09-14 06:10:00Z', 'wanted-sms', '+48600100200', 'pl', '{"id": 13194139533316, "contactId": 2, "createdAt": "2026-09-14T06:05:00.250Z", "locationId": 12}', null, 0, null, 'wanted 2 13194139533316@1789365900250', null, null, false),
  (3, '2026-09-14 06:11:00Z', 'ticket-push', '1/2026', 'pl', '{"id": 1}', '2026-09-14 06:11:00Z', 1, null, 'ticket-push 1 1 2026-09-14', null, null, true),
  (4, '2026-09-14 06:11:00Z', 'ticket-push', '2/2026', 'pl', '{"id": 2}', '2026-09-14 06:11:00Z', 1, null, 'ticket-push 2 1 2026-09-14', null, null, true),
  (5, '2026-09-14 06:13:00Z', 'wanted-mail', 'dyzurny@example.org', 'pl', '{"test": true, "contactId": 1}', '2026-09-30 09:59:00Z', 1, null, 'wanted test 1 dyzurny@example.org 2026-09-14T06:13', null, null, false),
  (6, '2026-09-30 09:59:00Z', 'wanted-mail', 'dyzurny@example.org', 'pl', '{"id": 13194139533320, "contactId": 1, "createdAt": "2026-09-30T09:58:50.000Z", "locationId": 12}', '2026-09-30 09:59:00Z', 1, null, 'wanted 1 13194139533320@1790762330000', null, null, false),
  (7, '2026-09-30 09:59:00Z', 'wanted-sms', '+48600100200', 'pl', '{"id": 13194139533320, "contactId": 2, "createdAt": "2026-09-30T09:58:50.000Z", "locationId": 12}', null, 0, null, 'wanted 2 13194139533320@1790762330000', null, null, false),
  (8, '2026-09-30 09:59:00Z', 'wanted-mail', 'dyzurny@example.org', 'pl', '{"id": 49478023249921, "contactId": 1, "createdAt": "2026-09-30T09:50:00.000Z", "locationId": 45}', '2026-09-30 09:59:00Z', 1, null, 'wanted 1 49478023249921@1790761800000', null, null, false),
  (9, '2026-09-30 09:59:00Z', 'wanted-sms', '+48600100200', 'pl', '{"id": 49478023249921, "contactId": 2, "createdAt": "2026-09-30T09:50:00.000Z", "locationId": 45}', null, 0, null, 'wanted 2 49478023249921@1790761800000', null, null, false),
  (10, '2026-09-30 09:59:00Z', 'password-reset', 'anna@example.org', 'pl', '{"userId": 101}', '2026-09-30 09:59:00Z', 1, null, null, null, null, false),
  (11, '2026-09-30 09:59:00Z', 'password-reset', 'anna@example.org', 'pl', '{"userId": 101}', null, 0, null, null, null, null, false),
  (12, '2026-09-14 21:00:00Z', 'wanted-sms', '+48600100200', 'pl', '{"id": 13194139533316, "contactId": 2, "createdAt": "2026-09-14T06:05:00.250Z", "locationId": 12}', null, 0, null, 'wanted 2 again', '2026-09-15 04:00:00Z', null, false),
  (13, '2026-09-14 06:12:00Z', 'ticket-push', '3/2026', 'pl', '{"id": 3}', null, 2, 'connect ECONNREFUSED', 'ticket-push 3 1 2026-09-13', null, '2026-09-14 06:14:00Z', false);

insert into reset_token (token_hash, user_id, created_at, email) values
  ('\x2be9ff8efd60f2fd3c45d35c38dba1912ef7c709cfcfc78e80c0aab4a879fe40', 101, '2026-09-30 09:59:00Z', 'anna@example.org');

insert into vms_group (id, location_id, description, selected_variant) values
  (1, 12, 'Preselekcja', 1);

insert into vms_variant (group_id, variant, description) values
  (1, 1, 'Kontrola'),
  (1, 2, 'Ograniczenie');

insert into vms_content (id, description, pictogram, graphic, lines) values
  (1, 'Waga', 'weigh', 1, '{KONTROLA}'),
  (2, 'Na wagę', null, null, '{ZJAZD,"NA WAGĘ"}');

insert into vms_sign (id, group_id, enabled_at, activity_id, enabled_by, port, number, enabled_variant, shows_plates, road_number, chainage, driver, host, community) values
  (1, 1, '2026-09-30 09:59:00Z', 10, 101, 161, 1, 1, false, 'S8', '13+200', 'simulated', '10.1.1.1', 'public'),
  (2, 1, '2026-09-30 09:59:00Z', 9, 101, 161, 2, 1, true, 'S8', '13+500', 'simulated', '10.1.1.1', 'public'),
  (3, 1, null, null, null, 9, 3, null, false, 'S8', '13+800', 'ntcip1203', '127.0.0.1', 'public');

insert into vms_sign_content (sign_id, content_id, variant) values
  (1, 1, 1),
  (1, 2, 2),
  (2, 2, 1),
  (2, 2, 2),
  (3, 1, 1),
  (3, 2, 2);

insert into vms_status (sign_id, failures, checked_at, answered_at, shown, control_mode, circuit, error, faults) values
  (1, 0, '2026-09-30 09:59:00Z', '2026-09-30 09:59:00Z', '[g1][jp3][jl3]KONTROLA', 'central', 'closed', null, '{}'),
  (2, 0, '2026-09-30 09:59:00Z', '2026-09-30 09:59:00Z', '[jp3][jl3]KONTROLA[nl]PO 7XA93', 'central', 'closed', null, '{}'),
  (3, 4, '2026-09-30 09:58:00Z', null, null, null, 'half-open', 'no answer', '{lamp,door}');

insert into vms_plate (id, vehicle_id, vehicle_created_at, set_at, until, shown_at, ending_at, ended_at, activity_id, sign_id, location_id, user_id, all_trucks, plate_lpr, shown, ending_reason, ip) overriding system value values
  (1, 13194139533320, '2026-09-30 09:58:50Z', '2026-09-30 09:59:00Z', '2026-09-30 09:59:38Z', '2026-09-30 09:59:00Z', null, null, 11, 2, 12, 101, false, 'PO7XA93', '[jp3][jl3]KONTROLA[nl]PO 7XA93', null, '127.0.0.1'),
  (2, 13194139533316, '2026-09-14 06:05:00.25Z', '2026-09-14 06:05:10Z', '2026-09-14 06:05:51Z', '2026-09-14 06:05:11Z', '2026-09-14 06:05:51Z', '2026-09-14 06:05:52Z', null, 2, 12, 101, true, null, '[jp3][jl3]KONTROLA[nl]CIEZAROWE', 'passed', null);

insert into vms_command (id, plate_id, asked_at, deadline, done_at, sign_id, user_id, variant, kind, outcome, ip, begun_at, is_unsettled) overriding system value values
  (1, null, '2026-09-30 09:59:00Z', '2026-09-30 09:59:20Z', '2026-09-30 09:59:00Z', 1, 101, 1, 'variant', 'done', '127.0.0.1', '2026-09-30 09:59:00Z', false),
  (2, null, '2026-09-30 09:59:00Z', '2026-09-30 09:59:20Z', '2026-09-30 09:59:00Z', 2, 101, 1, 'variant', 'done', '127.0.0.1', '2026-09-30 09:59:00Z', false),
  (3, 1, '2026-09-30 09:59:00Z', '2026-09-30 09:59:20Z', '2026-09-30 09:59:00Z', 2, 101, null, 'plate', 'done', '127.0.0.1', '2026-09-30 09:59:00Z', false),
  (4, null, '2026-09-14 06:05:51Z', '2026-09-14 06:06:11Z', '2026-09-14 06:05:52Z', 2, null, null, 'restore', 'sign-did-not-answer', null, null, false),
  (5, null, '2026-09-30 09:40:00Z', '2026-09-30 09:40:20Z', '2026-09-30 09:40:20Z', 3, 101, 1, 'variant', 'sign-did-not-answer', '127.0.0.1', '2026-09-30 09:40:01Z', true);

insert into vms_simulated (sign_id, delay_ms, shown_until, offline, rejects, shown, control_mode, faults) values
  (1, 0, null, false, false, '[g1][jp3][jl3]KONTROLA', 'central', '{}'),
  (2, 0, '2026-09-30 10:00:00Z', false, false, '[jp3][jl3]KONTROLA[nl]PO 7XA93', 'central', '{}');

insert into wanted_plate (id, created_at, expires_at, user_id, type_of_list, allow_misread, plate, misread, description, version) overriding system value values
  (1, '2026-08-15 08:00:00Z', null, 101, 0, true, 'WPR8K47M', 'WPR8K47M', 'Kradzież pojazdu', 1),
  (2, '2026-08-15 08:00:00Z', '2027-01-01 00:00:00Z', 101, 0, false, 'PO7XA93', 'P07XA93', 'Przeciążenie', 1),
  (3, '2026-08-15 08:00:00Z', null, 101, 1, false, 'LBK221', 'L8K221', 'Pojazd służbowy GITD', 2);

insert into wanted_hit (created_at, vehicle_id, wanted_id, false_at, location_id, false_by, plate_lpr, nationality, lane_number, entry_plate) values
  ('2026-08-31 22:30:00Z', 13194139533315, 3, null, 12, null, 'LBK221', 'LT', 2, null),
  ('2026-09-14 06:05:00.25Z', 13194139533316, 1, '2026-09-14 06:10:00Z', 12, 101, 'WPR8K47M', 'PL', 1, 'WPR8K47M'),
  ('2026-09-30 09:50:00Z', 49478023249921, 1, null, 45, null, 'WPRBK47M', null, 1, 'WPR8K47M'),
  ('2026-09-30 09:58:50Z', 13194139533320, 2, null, 12, null, 'PO7XA93', 'PL', 1, 'PO7XA93');

insert into wanted_contact (id, created_at, user_id, type_of_contact, quiet_from, quiet_to, contact, description, version) overriding system value values
  (1, '2026-08-15 08:00:00Z', 101, 0, null, null, 'dyzurny@example.org', 'Dyżurny', 1),
  (2, '2026-08-15 08:00:00Z', 101, 1, 1320, 360, '+48600100200', 'Patrol', 1);

insert into organization (id, name, service_id) overriding system value values
  (1, 'Zarząd Dróg Testowych', 11),
  (10, 'Zarząd Dróg Obcych', null);

insert into ticket (id, year, number, created_at, closed_at, organization_id, user_id, location_id, lane_number, health_kind, version, title, description, status, handle_by, reporter_name, reporter_email, sign, context) overriding system value values
  (1, 2026, 1, '2026-09-14 06:10:00Z', null, 1, 101, null, null, null, 1, 'Kamera', 'Brak obrazu', 'open', null, 'Jan Żak', 'jan@example.org', null, null),
  (2, 2026, 2, '2026-09-14 06:10:00Z', '2026-09-14 06:13:00Z', 1, 101, null, null, null, 2, 'Szafa', 'Uszkodzona szafa sterownicza', 'closed', 'Utrzymanie', null, null, null, null),
  (3, 2026, 3, '2026-09-14 06:13:00Z', null, 1, 101, null, null, null, 1, 'Waga', 'Pas 2 nie waży', 'open', null, null, null, null, null),
  (4, 2026, 4, '2026-09-14 06:13:00Z', null, 1, 101, 12, 1, null, 1, 'Znak', 'Nie świeci', 'open', null, null, null, 'S8 13+200', '{"page": "/vms", "version": "0.2.0", "listRequests": 5}'),
  (5, 2026, 5, '2026-09-14 08:00:00Z', null, 1, null, 12, 2, 'lane-silent', 1, 'S8 Radzymin, pas 2: brak przejazdów na pasie', 'Ostatni pojazd na tym pasie: 14.09.2026 08:07:00. Od 60 min nic nie przejechało, a zwykle w tym czasie przejeżdża około 13 pojazdów.
Zgłoszenie utworzone automatycznie na podstawie pomiarów (14.09.2026 10:00:00).', 'open', null, null, null, null, null),
  (6, 2026, 6, '2026-09-14 08:00:00Z', '2026-09-14 09:30:00Z', 1, null, 12, null, 'clock-skew', 2, 'S8 Radzymin: rozbieżność zegara', 'Zegar stacji różni się od zegara serwera o 0 s (dodatnie: stacja się spieszy).
Zgłoszenie utworzone automatycznie na podstawie pomiarów (14.09.2026 10:00:00).
Stan prawidłowy od 14.09.2026 11:30:00; zgłoszenie zamknięte automatycznie.', 'closed', null, null, null, null, null),
  (7, 2025, 1, '2025-12-30 23:30:00Z', null, null, 100, null, null, null, 1, 'Sprzed organizacji', 'Zgłoszone, zanim ustawiono ORGANIZATION', 'in_progress', 'Serwis', null, null, null, null),
  (8, 2026, 1, '2026-01-05 08:00:00Z', '2026-01-05 08:00:00Z', 10, 100, null, null, null, 3, 'Obca organizacja', 'Inny zarząd', 'closed', null, null, null, null, null);

insert into ticket_attachment (ticket_id, number, size, type, name, sha256, created_at, service_article, service_file, added_later, attempted_at, sent_at, refused_at) values
  (1, 1, 287, 'image/jpeg', 'kamera.jpg', '\x84489431547265b6bf463328bffed0ed24bac0a14ce86e5afeefcf83ec26e068', '2026-09-14 06:10:00Z', null, null, false, null, null, null),
  (1, 2, 287, 'image/jpeg', 'później.jpg', '\x84489431547265b6bf463328bffed0ed24bac0a14ce86e5afeefcf83ec26e068', '2026-09-14 06:13:00Z', null, null, true, '2026-09-14 06:14:00Z', '2026-09-14 06:15:00Z', null),
  (2, 1, 300, 'application/pdf', 'protokół.pdf', '\xc35b21d6ca39aa7cc3b79a705d989f1a6e88b99ab43988d74048799e3db926a3', '2026-09-14 06:13:00Z', 902, 902, false, '2026-09-14 06:19:00Z', null, '2026-09-14 06:20:00Z');

insert into station_failure (id, begun_at, ended_at, location_id, ticket_id, lane_number, kind, evidence) overriding system value values
  (1, '2026-09-14 08:00:00Z', null, 12, 5, 2, 'lane-silent', '{"vehicles": null, "clockSeconds": null, "sharePercent": null, "silentMinutes": 60, "lastVehicleTime": "2026-09-14T06:07:00.000Z", "deviationPercent": null, "expectedVehicles": 12.5}'),
  (2, '2026-09-14 08:00:00Z', '2026-09-14 09:30:00Z', 12, 6, 0, 'clock-skew', '{"vehicles": null, "clockSeconds": null, "sharePercent": null, "silentMinutes": 60, "lastVehicleTime": "2026-09-14T06:07:00.000Z", "deviationPercent": null, "expectedVehicles": 12.5}');

insert into station_check (location_id, lane_number, kind, checked_at, state, evidence) values
  (12, 0, 'clock-skew', '2026-09-14 09:30:00Z', 'well', '{"vehicles": null, "clockSeconds": null, "sharePercent": null, "silentMinutes": 60, "lastVehicleTime": "2026-09-14T06:07:00.000Z", "deviationPercent": null, "expectedVehicles": 12.5}'),
  (12, 0, 'plates-unreadable', '2026-09-30 09:59:00Z', 'unknown', '{"vehicles": 1, "clockSeconds": null, "sharePercent": null, "silentMinutes": null, "lastVehicleTime": null, "deviationPercent": null, "expectedVehicles": null}'),
  (12, 0, 'station-silent', '2026-09-30 09:59:00Z', 'unknown', '{"vehicles": null, "clockSeconds": null, "sharePercent": null, "silentMinutes": null, "lastVehicleTime": "2026-09-30T09:58:50.000Z", "deviationPercent": null, "expectedVehicles": null}'),
  (12, 1, 'calibration-deviation', '2026-09-30 09:59:00Z', 'unknown', '{"vehicles": 0, "clockSeconds": null, "sharePercent": null, "silentMinutes": null, "lastVehicleTime": null, "deviationPercent": null, "expectedVehicles": null}'),
  (12, 1, 'lane-silent', '2026-09-30 09:59:00Z', 'unknown', '{"vehicles": null, "clockSeconds": null, "sharePercent": null, "silentMinutes": null, "lastVehicleTime": "2026-09-30T09:58:50.000Z", "deviationPercent": null, "expectedVehicles": null}'),
  (12, 2, 'calibration-deviation', '2026-09-30 09:59:00Z', 'unknown', '{"vehicles": 0, "clockSeconds": null, "sharePercent": null, "silentMinutes": null, "lastVehicleTime": null, "deviationPercent": null, "expectedVehicles": null}'),
  (12, 2, 'lane-silent', '2026-09-14 08:00:00Z', 'bad', '{"vehicles": null, "clockSeconds": null, "sharePercent": null, "silentMinutes": 60, "lastVehicleTime": "2026-09-14T06:07:00.000Z", "deviationPercent": null, "expectedVehicles": 12.5}'),
  (45, 0, 'clock-skew', '2026-09-30 09:59:00Z', 'unknown', '{"vehicles": 1, "clockSeconds": null, "sharePercent": null, "silentMinutes": null, "lastVehicleTime": null, "deviationPercent": null, "expectedVehicles": null}'),
  (45, 0, 'plates-unreadable', '2026-09-30 09:59:00Z', 'unknown', '{"vehicles": 1, "clockSeconds": null, "sharePercent": null, "silentMinutes": null, "lastVehicleTime": null, "deviationPercent": null, "expectedVehicles": null}'),
  (45, 0, 'station-silent', '2026-09-30 09:59:00Z', 'unknown', '{"vehicles": null, "clockSeconds": null, "sharePercent": null, "silentMinutes": null, "lastVehicleTime": "2026-09-30T09:50:00.000Z", "deviationPercent": null, "expectedVehicles": null}'),
  (45, 1, 'lane-silent', '2026-09-30 09:59:00Z', 'unknown', '{"vehicles": null, "clockSeconds": null, "sharePercent": null, "silentMinutes": null, "lastVehicleTime": "2026-09-30T09:50:00.000Z", "deviationPercent": null, "expectedVehicles": null}');

delete from station_watch;
insert into station_watch (one, auto_open, auto_close, learnt_at) values
  (true, true, true, '2026-09-30 09:59:00Z');

insert into ticket_service (ticket_id, service_id, attempted_at, remote_changed_at, checked_at, attempted_page, pushed_version, marker, service_number, remote_status, remote_owner, sent_title, sent_description, sent_handle_by, article_attempted_at, remote_owner_name) values
  (1, 500, '2026-09-14 06:11:00Z', '2026-09-14 06:11:00Z', '2026-09-14 06:13:00Z', 1, 1, '94f32caf77af', '77500', 'open', 'agent', 'Kamera', 'Brak obrazu', null, '2026-09-14 06:20:00Z', 'Agnieszka Agent'),
  (2, 501, '2026-09-14 06:11:00Z', '2026-09-14 06:11:00Z', '2026-09-14 06:13:00Z', 1, 1, '1b892fab2608', '77501', 'open', null, 'Szafa', 'Uszkodzona szafa sterownicza', 'Utrzymanie', null, null),
  (3, null, null, null, null, null, 0, '5d2393d27d1a', null, null, null, null, null, null, null, null),
  (4, null, null, null, null, null, 0, '2f2aba35ebae', null, null, null, null, null, null, null, null),
  (5, null, null, null, null, null, 0, 'bc4dd396b588', null, null, null, null, null, null, null, null),
  (6, null, null, null, null, null, 0, '9e582af0fbc5', null, null, null, null, null, null, null, null),
  (7, null, null, null, null, null, 0, 'marker-7', null, null, null, null, null, null, null, null),
  (8, null, null, null, null, null, 0, 'marker-8', null, null, null, null, null, null, null, null);

delete from ticket_service_progress;
insert into ticket_service_progress (one, page) values
  (true, 1);

insert into ticket_account (user_id, service_user_id, password_secret, token_secret, expires_at, email, token_attempted_at) values
  (101, null, null, '\x919456deb51dd1a65db54050d68f602d63f1874b918847b3d40826291865792a6f86fbb368a00df0a155f450fdd0ae65e7', '2028-09-14 06:10:00Z', 'anna@example.org', null),
  (102, 31, '\x0b57b839557a7dd276fd34246727aabad023341d22587c0f6a1c616e2bbca96c524a8b3f3af6804092204c', null, null, 'jan@example.org', '2026-09-14 06:10:00Z');

insert into usual_traffic (location_id, lane_number, slot, vehicles) values
  (12, 1, 6, 41.25),
  (12, 1, 30, 9.5);

insert into ticket_lease (name, holder, expires_at) values
  ('push 1', 'process-a', '2026-09-30 09:59:30Z');

insert into ticket_service_file (ticket_id, service_file, attempts, refused) values
  (2, 902, 3, true),
  (2, 903, 1, false);

-- A mail that waits for its job.
select graphile_worker.add_job('deliver-message', '{"id": 11}', job_key => 'deliver-message:11');
