-- Payments for orders, started or received, one row for each payment. Amounts are in paise.

create table payments (
  -- Part of the result page's address and the only authorization to read it: 132 random bits.
  tid text primary key check (tid ~ '^[A-Za-z0-9_-]{22}$'),
  order_id text not null references orders (id),
  method text not null check (method in ('wallet', 'cash', 'upi', 'gateway')),
  state text not null check (state in ('pending', 'failed', 'received')),
  amount_paise bigint not null check (amount_paise > 0),
  -- The order's final amount when the payment was made. All payments of the order together should
  -- not exceed it.
  due_paise bigint not null check (due_paise > 0),
  -- Identifies the payment in UPI links, at the gateway and in the ledger.
  reference text not null unique check (char_length(reference) between 8 and 35),
  -- The gateway, its id and page of the payment request, and its id of the received transaction.
  gateway text check (gateway in ('sandbox', 'razorpay')),
  gateway_id text,
  gateway_url text,
  transaction_id text,
  -- The time of the latest status request to the gateway.
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
-- A repeated start for the same open amount finds the same payment, unless the configured gateway
-- was changed.
create unique index one_pending_payment on payments (order_id, method, coalesce(gateway, ''), amount_paise) where state = 'pending';
create unique index payments_by_gateway_id on payments (gateway, gateway_id);

-- The facts of a payment never change. Its state changes only as PAYMENT_STATES in
-- src/domains/payments/contract.ts permits.
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

-- Locks the order, so that its payments are received one after another and each sees the earlier
-- ones. Rejects a wallet payment that exceeds the open amount, or whose order has been delivered. A
-- payment from outside is always recorded: the excess becomes change (docs/decisions/0010).
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

-- Events of the gateways, each stored once. An event for another business on the same gateway
-- account has no payment.
create table payment_events (
  gateway text not null,
  event_id text not null check (char_length(event_id) between 1 and 100),
  event text not null check (char_length(event) <= 100),
  tid text references payments (tid),
  received_at timestamptz not null,
  primary key (gateway, event_id)
);
create index payment_events_by_age on payment_events (received_at);

-- The records of the sandbox gateway, which replaces a real one. Only demonstrations have rows.
create table sandbox_payments (
  id text primary key,
  reference text not null unique,
  amount_paise bigint not null check (amount_paise > 0),
  return_path text not null,
  -- 'paid' applies from paid_at, which may be in the future: a payment that arrives late.
  outcome text not null default 'open' check (outcome in ('open', 'paid', 'failed')),
  paid_at timestamptz,
  check ((outcome = 'paid') = (paid_at is not null))
);
