-- Up Migration

-- What became of the latest attempts, so that no list has to aggregate all deliveries.
alter table webhook
  add column last_delivered_at timestamptz,
  add column last_status int,
  -- null: the latest attempt succeeded
  add column last_error text,
  -- its deliveries are deleted in batches, then the row
  add column deleted_at timestamptz;

update webhook w set last_delivered_at =
  (select max(last_at) from webhook_delivery d where d.webhook_id = w.id and d.state = 'done');

-- From here on codes: the messages of Node.js disclose addresses.
update webhook_delivery set last_error = case when last_status is null then 'not-reachable' else 'status' end
where last_error is not null;

-- The name of a deleted subscription can be used again.
-- Unused since 0.2.0: newer than it, and replaced by the index below
alter table webhook drop constraint webhook_name_unique;
create unique index webhook_name_unique on webhook (name) where deleted_at is null;

create index webhook_delivery_failed on webhook_delivery (webhook_id) where state = 'failed';
create index webhook_event_by_position on webhook_event (position);

-- One event for each level of warning of a certificate.
delete from webhook_event e using webhook_event earlier
where e.type = 'certificate.ending' and earlier.type = e.type and earlier.location_id = e.location_id
  and earlier.data = e.data and earlier.id < e.id;
create unique index webhook_event_certificate on webhook_event (location_id, data) where type = 'certificate.ending';

-- The name of a revoked system or device can be used again.
-- Unused since 0.2.0: newer than it, and replaced by the index below
alter table exchange_system drop constraint exchange_system_name_unique;
create unique index exchange_system_name_unique on exchange_system (name) where revoked_at is null;
-- Unused since 0.2.0: newer than it, and replaced by the index below
alter table device drop constraint device_name_unique;
create unique index device_name_unique on device (name) where revoked_at is null;
