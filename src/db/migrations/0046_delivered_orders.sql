-- compatible-since: 0045
-- no-transaction

-- The list of delivered orders begins with the newest. Most orders are delivered, so the planner
-- would read the index of all days, with every open order of the last days.
create index concurrently if not exists orders_delivered on orders (pickup_day, id) where stage = 'delivered';
