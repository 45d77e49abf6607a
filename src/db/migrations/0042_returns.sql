-- compatible-since: 0041

-- The clothes of an order that was cancelled after its pickup go back to the customer
-- (docs/decisions/0071). Null: the laundry still has them, if the order is cancelled and weighed.
alter table orders add column returned_at timestamptz;

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
       (select max(event.id) from order_events event where event.order_id = orders.id) as version,
       orders.returned_at
  from orders
  left join customers on customers.id = orders.customer_id
  left join order_handling on order_handling.order_id = orders.id
  left join staff_members rider on rider.id = order_handling.rider_id;

create or replace view notification_facts as
select event.id as event_id, event.kind, event.stage, event.data, event.at,
       orders.id as order_id, orders.customer_id, orders.guest_session_hash, customers.mobile,
       orders.stage as order_stage, orders.cancelled_at, orders.pickup_day, orders.timeslot,
       orders.rate_paise, orders.offer_percent, orders.weight_grams, orders.items, orders.returned_at
  from order_events event
  join orders on orders.id = event.order_id
  join customers on customers.id = orders.customer_id;
