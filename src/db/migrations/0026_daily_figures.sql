-- compatible-since: 0025

-- The figures of the laundry by day (docs/decisions/0062). Every figure is a sum over facts that
-- have a time and never change: a correction is a fact of its own, with the time of the correction.
-- 0029 creates the indexes of that time.

-- A delivery counts with the weight that the order had then; moving the order back takes the same
-- amounts away. The promised time is that of backBy in src/domains/orders/rules.ts, and a test
-- compares them.
create view figure_facts as
select event.at,
       (event.kind = 'placed')::int as placed,
       (event.kind = 'cancelled')::int - (event.kind = 'cancellation-undone')::int as cancelled,
       coalesce(delivery.sign, 0) as delivered,
       coalesce(delivery.sign * (delivery.at <= ((orders.pickup_day + 1) + time '21:00') at time zone 'Asia/Kolkata')::int, 0) as on_time,
       coalesce(delivery.sign * delivery.weight_grams, 0) as grams,
       coalesce(delivery.sign * order_final_paise(orders.rate_paise, delivery.weight_grams, orders.offer_percent), 0) as revenue_paise,
       0::bigint as cash_paise, 0::bigint as upi_paise, 0::bigint as gateway_paise, 0::bigint as wallet_paise,
       0::bigint as liability_paise, 0::bigint as bonus_paise, 0 as claimed
  from order_events event
  join orders on orders.id = event.order_id
  left join lateral (
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
     where (event.kind = 'moved' and event.stage = 'delivered') or (event.kind = 'moved-back' and event.stage = 'delivery')
  ) delivery on true
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

-- Little happens before the first order.
create view figure_beginning as select min(at) as at from order_events;

-- The sums of all facts before figures_progress.until. Later facts are added when they are read. No
-- row: nothing happened on that day.
create table daily_figures (
  day date primary key,
  placed bigint not null,
  cancelled bigint not null,
  delivered bigint not null,
  on_time bigint not null,
  grams bigint not null,
  revenue_paise bigint not null,
  cash_paise bigint not null,
  upi_paise bigint not null,
  gateway_paise bigint not null,
  wallet_paise bigint not null,
  -- The change of all wallets together.
  liability_paise bigint not null,
  bonus_paise bigint not null,
  claimed bigint not null
);

create table figures_progress (
  one boolean primary key default true check (one),
  until timestamptz not null
);
insert into figures_progress (until) values ('-infinity');

-- Facts are added up ten minutes after they happen. An older fact, from a process whose clock is
-- wrong, has its day added up again. Payments, reversals and claims write an event at the same
-- time.
create function figures_reopen(fact_at timestamptz) returns void language plpgsql as $$
declare
  fact_day date := (fact_at at time zone 'Asia/Kolkata')::date;
begin
  update figures_progress set until = fact_day::timestamp at time zone 'Asia/Kolkata' where until > fact_at;
  if found then
    delete from daily_figures where day >= fact_day;
  end if;
end $$;

-- Runs for every event and posting, and seldom finds a late one.
create function order_events_reopen_figures() returns trigger language plpgsql as $$
begin
  if exists (select from figures_progress where until > new.at) then
    perform figures_reopen(new.at);
  end if;
  return null;
end $$;
create trigger order_events_figures_reopened after insert on order_events
  for each row execute function order_events_reopen_figures();

create function ledger_postings_reopen_figures() returns trigger language plpgsql as $$
begin
  if exists (select from figures_progress where until > new.created_at) then
    perform figures_reopen(new.created_at);
  end if;
  return null;
end $$;
create trigger ledger_postings_figures_reopened after insert on ledger_postings
  for each row execute function ledger_postings_reopen_figures();
