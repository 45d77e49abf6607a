-- compatible-since: 0065
-- no-transaction

-- The failed payments of a day, which /metrics counts. payments_by_time has the received ones.
create index concurrently if not exists payments_failed on payments (settled_at) where state = 'failed';
