-- compatible-since: 0058
-- no-transaction

-- The orders that the laundry has to work on, oldest first: few of all.
create index concurrently if not exists orders_open on orders (placed_at, id)
  where stage not in ('delivered', 'cancelled') or (stage = 'cancelled' and weight_grams is not null and returned_at is null);
