-- compatible-since: 0057
-- no-transaction

-- A search for a frequent name reads the newest periods only. docs/decisions/0099.
create index concurrently if not exists orders_by_period_and_word on orders using gin (words_in_period(ship_name, pickup_day));
