-- compatible-since: 0075

-- A late fact and an addition wait: they lock this row first, too.
select until from figures_progress for update;

-- The credits of the kind compensation, less reversals. Processes of an older version store null:
-- the hourly addition adds up those days again.
alter table daily_figures add column compensation_paise bigint;

update daily_figures
   set compensation_paise = coalesce((
         select -sum(amount_paise) from ledger_postings
          where account_id = 'compensation'
            and created_at >= day::timestamp at time zone 'Asia/Kolkata'
            and created_at < least((day + 1)::timestamp at time zone 'Asia/Kolkata', (select until from figures_progress))
       ), 0);

-- As in 0070, with the compensation.
create or replace view figure_facts as
select at,
       (kind = 'placed')::int as placed,
       (kind = 'cancelled')::int - (kind = 'cancellation-undone')::int as cancelled,
       0 as delivered, 0 as on_time, 0 as grams, 0::bigint as revenue_paise,
       0::bigint as cash_paise, 0::bigint as upi_paise, 0::bigint as gateway_paise, 0::bigint as wallet_paise,
       0::bigint as liability_paise, 0::bigint as bonus_paise, 0 as claimed, 0::bigint as compensation_paise
  from order_events where kind in ('placed', 'cancelled', 'cancellation-undone')
 union all
select event.at, 0, 0, delivery.sign,
       coalesce(delivery.sign * (delivery.at <= (coalesce(orders.return_day, orders.pickup_day + 1) + time '21:00') at time zone 'Asia/Kolkata')::int, 0),
       coalesce(delivery.sign * delivery.weight_grams, 0),
       coalesce(delivery.sign * order_final_paise(orders.rate_paise, delivery.weight_grams, orders.offer_percent), 0),
       0, 0, 0, 0, 0, 0, 0, 0
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
       case method when 'gateway' then amount_paise else 0 end, case method when 'wallet' then amount_paise else 0 end, 0, 0, 0, 0
  from payments where state = 'received'
 union all
select reversed_at, 0, 0, 0, 0, 0, 0,
       case method when 'cash' then -amount_paise else 0 end, case method when 'upi' then -amount_paise else 0 end, 0, 0, 0, 0, 0, 0
  from payment_reversals join payments on payments.tid = payment_reversals.tid
 union all
-- The counter-accounts: what they lose is in the wallets.
select created_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -amount_paise, case when account_id in ('promotion', 'cashback') then -amount_paise else 0 end, 0,
       case when account_id = 'compensation' then -amount_paise else 0 end
  from ledger_postings where account_id in ('promotion', 'compensation', 'change', 'cashback', 'paid', 'payout')
 union all
select created_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0 from claims;
