-- compatible-since: 0029
-- no-transaction

create index concurrently if not exists notifications_with_failure on notifications (event_id) where failure is not null;
