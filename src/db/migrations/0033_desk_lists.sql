-- compatible-since: 0029
-- no-transaction

-- The first hand-in after a payment.
create index concurrently if not exists cash_movements_handed_in on cash_movements (staff_id, id) where kind = 'handed-in';

-- cash_balances has the sum of a person's movements.
drop index if exists cash_movements_of_holder;

create index concurrently if not exists cash_handins_unexplained on cash_handins (handed_in_at, id)
  where counted_paise <> expected_paise - reversed_paise and explanation is null;

drop index if exists cash_handins_open;

-- The board of an area: without it, a rare area is searched in all orders of a stage.
create index concurrently if not exists orders_by_area on orders (area, stage, pickup_day, id);

-- Every order has a customer. With a left join, counts of orders need not read customers.
create or replace view desk_orders as
select orders.id, orders.customer_id, orders.guest_session_hash is not null as is_guest, orders.program_id, orders.program_name,
       orders.unit, orders.area, orders.rate_paise, orders.offer_id, orders.offer_percent, orders.timeslot, orders.pickup_day,
       orders.detergent, orders.conditioner, orders.iron, orders.stage, orders.weight_grams, orders.items,
       orders.ship_name, orders.ship_mobile::text as ship_mobile, orders.ship_address1, orders.ship_address2, orders.ship_landmark,
       orders.ship_pincode, orders.ship_city, orders.ship_state, orders.placed_at, orders.cancelled_at, orders.cancelled_by,
       orders.is_unpaid, to_tsvector('simple', orders.ship_name) as name_words,
       customers.name as customer_name, customers.mobile::text as customer_mobile,
       order_handling.rider_id, rider.name as rider_name, order_handling.bags, coalesce(order_handling.wrong_codes, 0) as wrong_codes,
       order_received_paise(orders.id) as received_paise,
       (select max(event.id) from order_events event where event.order_id = orders.id) as version
  from orders
  left join customers on customers.id = orders.customer_id
  left join order_handling on order_handling.order_id = orders.id
  left join staff_members rider on rider.id = order_handling.rider_id;
