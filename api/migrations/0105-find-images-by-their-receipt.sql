-- Up Migration

create index concurrently vehicle_image_by_receipt on vehicle_image using brin (received_at) with (autosummarize = on);
