-- compatible-since: 0055

-- The same facts as in 0026. A report reads those of the last hour. Most events count nothing: only
-- a delivery, and one that was taken back, reads its order and the earlier events of that order.
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
       coalesce(delivery.sign * (delivery.at <= ((orders.pickup_day + 1) + time '21:00') at time zone 'Asia/Kolkata')::int, 0),
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
  from ledger_postings where account_id in ('promotion', 'compensation', 'change', 'cashback', 'paid')
 union all
select created_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 from claims;
