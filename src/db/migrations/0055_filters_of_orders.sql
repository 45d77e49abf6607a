-- compatible-since: 0054

-- The columns that the lists of the staff filter orders by. Without the joins of desk_orders, a
-- count reads an index alone, and no row of orders.
create view desk_order_filters as
select id, customer_id, area, stage, pickup_day, weight_grams, returned_at, is_unpaid,
       ship_mobile::text as ship_mobile, to_tsvector('simple', ship_name) as name_words
  from orders;
