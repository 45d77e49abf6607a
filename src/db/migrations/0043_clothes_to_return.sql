-- compatible-since: 0042
-- no-transaction

-- The lists of the staff read it at each look, and it has few rows.
create index concurrently if not exists orders_to_return on orders (pickup_day, id)
  where stage = 'cancelled' and weight_grams is not null and returned_at is null;
