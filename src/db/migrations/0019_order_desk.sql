-- compatible-since: 0018

-- The work of the staff on orders (docs/decisions/0053). The domain order-desk reads orders only
-- through the views below.

-- The author of a change of an order, if it was a member of the staff. The row is written in the
-- transaction of the event.
create table order_event_authors (
  event_id bigint primary key references order_events (id),
  staff_id text not null references staff_members (id),
  -- The time of the device, if the device sent it.
  device_at timestamptz,
  note text check (char_length(note) between 1 and 500)
);

-- The facts about an order that only the staff reads. No row: nothing yet.
create table order_handling (
  order_id text primary key references orders (id),
  rider_id text references staff_members (id),
  bags smallint check (bags between 1 and 99),
  -- The wrong hand-over codes of this order.
  wrong_codes smallint not null default 0
);

-- The final amount of an order, rounded like finalAmountPaise in src/lib/money.ts. A test compares
-- them. Null until the order is weighed.
create function order_final_paise(rate_paise integer, weight_grams integer, offer_percent smallint) returns bigint
  language sql immutable parallel safe
  return (2 * rate_paise::bigint * weight_grams * (100 - offer_percent) + 100000) / 200000;

create function order_received_paise(id text) returns bigint
  language sql stable parallel safe
  return (select coalesce(sum(amount_paise), 0) from payments
           where order_id = $1 and state = 'received'
             and not exists (select from payment_reversals where payment_reversals.tid = payments.tid));

-- A delivered order that is not paid in full. Most orders are, so that a partial index finds the
-- others without reading all orders. 0029 sets it in earlier orders, and creates the indexes.
alter table orders add column is_unpaid boolean not null default false;

create function order_events_set_unpaid() returns trigger language plpgsql as $$
begin
  update orders
     set is_unpaid = not is_unpaid
   where id = new.order_id
     and is_unpaid <> (stage = 'delivered' and order_final_paise(rate_paise, weight_grams, offer_percent) > order_received_paise(id));
  return null;
end $$;
-- The writer of an event holds the lock of the order's row.
create trigger order_events_change_unpaid after insert on order_events
  for each row when (new.kind in ('moved', 'moved-back', 'paid', 'payment-reversed')) execute function order_events_set_unpaid();

-- The transaction of an event, for readers of the events of all orders: ids become visible in
-- another order than they were assigned, but no transaction before pg_snapshot_xmin is open.
-- Older rows have none.
alter table order_events add column xid xid8;
alter table order_events alter column xid set default pg_current_xact_id();

create view desk_orders as
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
  join customers on customers.id = orders.customer_id
  left join order_handling on order_handling.order_id = orders.id
  left join staff_members rider on rider.id = order_handling.rider_id;

-- The history of an order.
create view desk_events as
select event.id, event.order_id, event.kind, event.stage, event.data, event.at,
       author.staff_id, author.device_at, author.note, staff_members.name as staff_name,
       payment.method as payment_method, payment.amount_paise as payment_paise
  from order_events event
  left join order_event_authors author on author.event_id = event.id
  left join staff_members on staff_members.id = author.staff_id
  left join payments payment on payment.reference = event.data ->> 'reference';

create view desk_changes as
select event.id, event.order_id, event.xid, orders.stage
  from order_events event
  join orders on orders.id = event.order_id
 where event.xid is not null;

create view desk_payments as
select payments.tid, payments.order_id, payments.reference, payments.method, payments.amount_paise, payments.settled_at, payments.note,
       reversal.reversed_at, reversal.reason as reversal_reason, staff_members.name as received_by, author.staff_id as received_by_id
  from payments
  left join payment_reversals reversal on reversal.tid = payments.tid
  left join order_events event
    on event.order_id = payments.order_id and event.kind = 'paid' and event.data ->> 'reference' = payments.reference
  left join order_event_authors author on author.event_id = event.id
  left join staff_members on staff_members.id = author.staff_id
 where payments.state = 'received';

-- Moving back queues no message.
drop trigger order_events_queued on order_events;
create trigger order_events_queued after insert on order_events
  for each row when (new.kind in ('placed', 'weighed', 'cancelled', 'refunded')
    or (new.kind = 'moved' and new.stage in ('delivery', 'delivered')))
  execute function order_events_queue_notification();
