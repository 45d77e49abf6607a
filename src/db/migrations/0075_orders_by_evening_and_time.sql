-- compatible-since: 0074
-- no-transaction

-- The lists of the staff sort the orders of an evening by the time at which they were placed.
create index concurrently if not exists orders_by_evening_of_stage on orders (stage, pickup_day, placed_at, id);

create index concurrently if not exists orders_by_evening_of_area on orders (area, stage, pickup_day, placed_at, id);

create index concurrently if not exists orders_by_evening on orders (pickup_day, placed_at, id);

create index concurrently if not exists orders_delivered_by_evening on orders (pickup_day, placed_at, id) where stage = 'delivered';

create index concurrently if not exists orders_to_return_by_evening on orders (pickup_day, placed_at, id)
  where stage = 'cancelled' and weight_grams is not null and returned_at is null;

create index concurrently if not exists orders_unpaid_by_evening on orders (pickup_day, placed_at, id) where is_unpaid;

-- The replaced indexes. The version before reads the new ones, and sorts each evening.
drop index concurrently if exists orders_by_stage;

drop index concurrently if exists orders_by_area;

drop index concurrently if exists orders_by_day;

drop index concurrently if exists orders_delivered;

drop index concurrently if exists orders_to_return;

drop index concurrently if exists orders_unpaid;

create or replace view desk_order_filters as
select id, customer_id, area, stage, pickup_day, weight_grams, returned_at, is_unpaid,
       ship_mobile::text as ship_mobile, to_tsvector('simple', ship_name) as name_words,
       words_in_period(ship_name, pickup_day) as period_words, placed_at
  from orders;
