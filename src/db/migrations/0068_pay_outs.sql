-- compatible-since: 0067

-- Money of a wallet that the laundry paid back outside of the program. It debits the wallet, as a
-- payment for an order does, and belongs to no order.
insert into ledger_accounts (id) values ('payout');
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check
  check (kind in ('promotion', 'compensation', 'change', 'cashback', 'paid', 'payout'));

-- As in 0010, with the kind that debits the wallet.
create or replace function ledger_check_entry() returns trigger language plpgsql as $$
declare
  checked text := to_jsonb(new) ->> tg_argv[0];
  fault boolean;
begin
  select count(*) <> 2
      or sum(posting.amount_paise) <> 0
      or count(*) filter (where account.customer_id is not null) <> 1
      or count(*) filter (where posting.account_id = entry.kind) <> 1
      or bool_or(account.customer_id is not null
                 and (posting.amount_paise < 0) <> (entry.kind in ('paid', 'payout') or entry.reverses is not null))
      or bool_or(entry.reverses is not null and not exists (
           select from ledger_entries original
             join ledger_postings reversed on reversed.entry_id = original.id
            where original.id = entry.reverses and original.kind = entry.kind
              and original.order_id is not distinct from entry.order_id
              and reversed.account_id = posting.account_id and reversed.amount_paise = -posting.amount_paise))
    into fault
    from ledger_entries entry
    left join ledger_postings posting on posting.entry_id = entry.id
    left join ledger_accounts account on account.id = posting.account_id
   where entry.id = checked;
  if fault is distinct from false then
    raise exception 'entry % is not two postings that sum to zero, or does not negate the entry that it reverses', checked
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

-- As in 0056, with the counter-account.
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
  from ledger_postings where account_id in ('promotion', 'compensation', 'change', 'cashback', 'paid', 'payout')
 union all
select created_at, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1 from claims;
