-- The hourly deletion of expired keys reads only the keys that can expire, not those of all orders.
create index order_keys_that_expire on idempotency_keys (created_at) where key like 'same:%';
