-- Up Migration

create index concurrently log_seal_by_time on log_seal (chain, source_at);
