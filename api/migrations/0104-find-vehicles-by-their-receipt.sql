-- Up Migration

create index concurrently vehicle_by_receipt on vehicle using brin (received_at) with (autosummarize = on);
