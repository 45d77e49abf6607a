-- What was paid for orders, or is about to be: one row for each payment, whatever the way. Amounts are paise.

create table payments (
  -- The address of the result page holds it and is all that opens it: 128 random bits.
  tid text primary key check (tid ~ '^[A-Za-z0-9_-]{22}$'),
  order_id text not null references orders (id),
  method text not null check (method in ('wallet', 'cash', 'upi', 'gateway')),
  state text not null check (state in ('pending', 'failed', 'received')),
  amount_paise bigint not null check (amount_paise > 0),
  -- The order's final amount when the payment was made: what all payments of the order together should not exceed.
  due_paise bigint not null check (due_paise > 0),
  -- What the payment is called outside: in a UPI link, at the gateway, in the ledger.
  reference text not null unique check (char_length(reference) between 8 and 35),
  -- Which gateway, its own name for what is to be paid, where that is paid, and its name for the money that came.
  gateway text check (gateway in ('sandbox', 'razorpay')),
  gateway_id text,
  gateway_url text,
  transaction_id text,
  -- When the gateway was last asked how it stands.
  asked_at timestamptz,
  created_at timestamptz not null,
  settled_at timestamptz,
  check ((method = 'gateway') = (gateway is not null)),
  check ((gateway_id is null) = (gateway_url is null)),
  check ((state = 'pending') = (settled_at is null)),
  check ((state = 'received') = (transaction_id is not null))
);
create index payments_of_order on payments (order_id);
create index payments_pending on payments (created_at) where state = 'pending';
create unique index one_wallet_payment on payments (order_id) where method = 'wallet';
-- Asking twice for the same rest finds the same payment, unless another gateway was set meanwhile.
create unique index one_pending_payment on payments (order_id, method, coalesce(gateway, ''), amount_paise) where state = 'pending';
create unique index payments_by_gateway_id on payments (gateway, gateway_id);

-- A payment's facts never change and its state never goes back. The table of states stands in domains/payments/contract.ts.
create function payments_guard_change() returns trigger language plpgsql as $$
begin
  if (new.tid, new.order_id, new.method, new.amount_paise, new.due_paise, new.reference, new.created_at)
      is distinct from (old.tid, old.order_id, old.method, old.amount_paise, old.due_paise, old.reference, old.created_at) then
    raise exception 'a payment keeps its facts' using errcode = 'integrity_constraint_violation';
  end if;
  if old.state = 'received' and new is distinct from old then
    raise exception 'a received payment keeps its facts' using errcode = 'integrity_constraint_violation';
  end if;
  if new.state <> old.state and not (old.state = 'pending' or (old.state = 'failed' and new.state = 'received')) then
    raise exception 'a payment never goes back from % to %', old.state, new.state using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger payments_guarded before update on payments for each row execute function payments_guard_change();

create function payments_refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'payments are kept' using errcode = 'integrity_constraint_violation';
end $$;
create trigger payments_not_removed before delete on payments for each row execute function payments_refuse_removal();
create trigger payments_not_emptied before truncate on payments for each statement execute function payments_refuse_removal();

-- Money that is received for one order is received in turn, so that whoever adds it up sees all of it; and the wallet, which the laundry itself holds,
-- never pays what was paid already, nor for an order that has been delivered meanwhile. A payment from outside is recorded whatever it comes to: what is too much becomes change (docs/decisions/0010).
create function payments_take_turn() returns trigger language plpgsql as $$
declare
  stage_now text;
begin
  select stage into stage_now from orders where id = new.order_id for no key update;
  if new.method = 'wallet' and stage_now not in ('queue', 'washing', 'delivery') then
    raise exception 'order % is at %', new.order_id, stage_now
      using errcode = 'integrity_constraint_violation', constraint = 'wallet_pays_only_before_delivery';
  end if;
  if new.method = 'wallet' and new.amount_paise + (
      select coalesce(sum(amount_paise), 0) from payments where order_id = new.order_id and state = 'received' and method <> 'wallet'
    ) > new.due_paise then
    raise exception 'order % needs no wallet payment', new.order_id
      using errcode = 'integrity_constraint_violation', constraint = 'wallet_pays_only_what_is_open';
  end if;
  return new;
end $$;
create trigger payments_in_turn before insert or update of state on payments
  for each row when (new.state = 'received') execute function payments_take_turn();

-- What a gateway told us, once each. An event of another business on the same account has no payment.
create table payment_events (
  gateway text not null,
  event_id text not null check (char_length(event_id) between 1 and 100),
  event text not null check (char_length(event) <= 100),
  tid text references payments (tid),
  received_at timestamptz not null,
  primary key (gateway, event_id)
);
create index payment_events_by_age on payment_events (received_at);

-- The sandbox gateway's own books: it stands in for a service outside, and only a demonstration has rows here.
create table sandbox_payments (
  id text primary key,
  reference text not null unique,
  amount_paise bigint not null check (amount_paise > 0),
  return_path text not null,
  -- 'paid' counts from paid_at, which may lie ahead: a payment that takes its time.
  outcome text not null default 'open' check (outcome in ('open', 'paid', 'failed')),
  paid_at timestamptz,
  check ((outcome = 'paid') = (paid_at is not null))
);
