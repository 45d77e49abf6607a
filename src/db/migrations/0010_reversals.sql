-- Reversals correct money that was recorded by hand. A reversal is a new row that names the
-- original row, which never changes. Both are kept.

-- Distinguishes payments of one order that are equal in method and amount.
alter table payments add column note text check (char_length(note) between 1 and 200);
-- An order with an offer of 100 % is due nothing. Money received for it is change.
alter table payments drop constraint payments_due_paise_check;
alter table payments add constraint payments_due_paise_check check (due_paise >= 0);

create table payment_reversals (
  -- The primary key, so that a payment is reversed once.
  tid text primary key references payments (tid),
  reason text not null check (char_length(reason) between 3 and 200),
  reversed_at timestamptz not null
);

-- Locks the order, like a received payment, and rejects payments that were not recorded by hand: a
-- gateway returns its payments itself, and a wallet payment is returned as compensation.
create function payment_reversals_check() returns trigger language plpgsql as $$
declare
  original payments;
begin
  select * into original from payments where tid = new.tid;
  if original.state <> 'received' or original.method not in ('cash', 'upi') then
    raise exception 'only a received cash or UPI payment is reversed' using errcode = 'integrity_constraint_violation';
  end if;
  perform from orders where id = original.order_id for no key update;
  return new;
end $$;
create trigger payment_reversals_checked before insert on payment_reversals
  for each row execute function payment_reversals_check();

create function payment_reversals_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'reversals are kept' using errcode = 'integrity_constraint_violation';
end $$;
create trigger payment_reversals_append_only before update or delete on payment_reversals
  for each row execute function payment_reversals_refuse_change();
create trigger payment_reversals_not_emptied before truncate on payment_reversals
  for each statement execute function payment_reversals_refuse_change();

-- As in 0005, without reversed payments in the sum.
create or replace function payments_take_turn() returns trigger language plpgsql as $$
declare
  stage_now text;
begin
  select stage into stage_now from orders where id = new.order_id for no key update;
  if new.method = 'wallet' and stage_now not in ('queue', 'washing', 'delivery') then
    raise exception 'order % is at %', new.order_id, stage_now
      using errcode = 'integrity_constraint_violation', constraint = 'wallet_pays_only_before_delivery';
  end if;
  if new.method = 'wallet' and new.amount_paise + (
      select coalesce(sum(amount_paise), 0) from payments
       where order_id = new.order_id and state = 'received' and method <> 'wallet'
         and not exists (select from payment_reversals where payment_reversals.tid = payments.tid)
    ) > new.due_paise then
    raise exception 'order % needs no wallet payment', new.order_id
      using errcode = 'integrity_constraint_violation', constraint = 'wallet_pays_only_what_is_open';
  end if;
  return new;
end $$;

-- The entry that this entry reverses. Unique, so that an entry is reversed once.
alter table ledger_entries add column reverses text unique references ledger_entries (id);
create index change_of_order on ledger_entries (order_id) where kind = 'change';

-- As in 0003. An entry that reverses another one debits the wallet: its kind and order are those of
-- the other entry, and its postings are the negated postings.
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
                 and (posting.amount_paise < 0) <> (entry.kind = 'paid' or entry.reverses is not null))
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
