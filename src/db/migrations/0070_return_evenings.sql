-- compatible-since: 0069

-- The evening until which the laundry promised to bring the clothes back: the first one after the
-- pickup, or after the cancellation, that is not closed (docs/decisions/0130). Closing an evening
-- later does not move it. Null: the day after the pickup, in orders of earlier versions.
alter table orders add column return_day date;

-- The same rule as returnDay in src/domains/evenings/service.server.ts.
create function orders_set_return_day() returns trigger language plpgsql as $$
declare
  visit date := coalesce((new.cancelled_at at time zone 'Asia/Kolkata')::date, new.pickup_day);
begin
  select visit + ahead into new.return_day
    from evening_plans plan
    cross join generate_series(1, 30) ahead
    left join evening_exceptions exception on exception.area = plan.area and exception.day = visit + ahead
   where plan.area = new.area
     and case when exception.day is null then extract(isodow from visit + ahead) <> all (plan.closed_weekdays)
              else exception.capacity is distinct from 0 end
   order by ahead limit 1;
  new.return_day := coalesce(new.return_day, visit + 1);
  return new;
end $$;

-- A new order states its evening. Processes of earlier versions do not.
create trigger orders_without_return_day before insert on orders for each row
  when (new.return_day is null) execute function orders_set_return_day();
create trigger orders_of_another_day before update of pickup_day, cancelled_at on orders for each row
  when (new.pickup_day <> old.pickup_day or new.cancelled_at is distinct from old.cancelled_at)
  execute function orders_set_return_day();

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
       orders.returned_at, orders.return_day
  from orders
  left join customers on customers.id = orders.customer_id
  left join order_handling on order_handling.order_id = orders.id
  left join staff_members rider on rider.id = order_handling.rider_id;

-- As in 0068, with the promised evening.
create or replace view figure_facts as
select at,
       (kind = 'placed')::int as placed,
       (kind = 'cancelled')::int - (kind = 'cancellation-undone')::int as cancelled,
       0 as delivered, 0 as on_time, 0 as grams, 0::bigint as revenue_paise,
       0::bigint as cash_paise, 0::bigint as upi_paise, 0::bigint as gateway_paise, 0::bigint as wallet_paise,
       0::bigint as liability_paise, 0::bigint as bonus_paise, 0 as claimed
  from order_events where kind in ('placed', 'cancelled', 'cancellation-undone')
 union all
select event.at, 0, 0, delivery.sign,
       coalesce(delivery.sign * (delivery.at <= (coalesce(orders.return_day, orders.pickup_day + 1) + time '21:00') at time zone 'Asia/Kolkata')::int, 0),
       coalesce(delivery.sign * delivery.weight_grams, 0),
       coalesce(delivery.sign * order_final_paise(orders.rate_paise, delivery.weight_grams, orders.offer_percent), 0),
       0, 0, 0, 0, 0, 0, 0
  from order_events event
  join orders on orders.id = event.order_id
  cross join lateral (
    select case event.kind when 'moved' then 1 else -1 end as sign,
           case event.kind
             when 'moved' then event.at
             else (select earlier.at from order_events earlier
                    where earlier.order_id = event.order_id and earlier.id < event.id and earlier.kind = 'moved' and earlier.stage = 'delivered'
                    order by earlier.id desc limit 1)
           end as at,
           coalesce((select (weighed.data ->> 'weight_grams')::int from order_events weighed
                      where weighed.order_id = event.order_id and weighed.id < event.id and weighed.kind = 'weighed'
                      order by weighed.id desc limit 1),
                    orders.weight_grams) as weight_grams
  ) delivery
 where (event.kind = 'moved' and event.stage = 'delivered') or (event.kind = 'moved-back' and event.stage = 'delivery')
 union all
select settled_at, 0, 0, 0, 0, 0, 0,
       case method when 'cash' then amount_paise else 0 end, case method when 'upi' then amount_paise else 0 end,
       case method when 'gateway' then amount_paise else 0 end, case method when 'wallet' then amount_paise else 0 end, 0, 0, 0
  from payments where state = 'received'
 union all
select reversed_at, 0, 0, 0, 0, 0, 0,
       case method when 'cash' then -amount_paise else 0 end, case method when 'upi' then -amount_paise else 0 end, 0, 0, 0, 0, 0
  from payment_reversals join payments on payments.tid = payment_reversals.tid
 union all
-- The counter-accounts: what they lose is in the wallets.
select created_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -amount_paise, case when account_id in ('promotion', 'cashback') then -amount_paise else 0 end, 0
  from ledger_postings where account_id in ('promotion', 'compensation', 'change', 'cashback', 'paid', 'payout')
 union all
select created_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 from claims;
