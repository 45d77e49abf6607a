-- Messages to customers about an event of their order (docs/decisions/0048), one for each
-- event. The program writes the text when it sends the message. States: 'sending' is written before
-- the request to the gateway, and such a message is never sent again; 'failed' has an unknown
-- result; 'withdrawn' was not sent and never will be.
create table notifications (
  event_id bigint primary key references order_events (id),
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'failed', 'withdrawn')),
  due_at timestamptz not null,
  attempts smallint not null default 0,
  -- The time of the last change of the state, and the text, which only a demonstration keeps.
  changed_at timestamptz not null,
  text text not null default ''
);
create index notifications_due on notifications (due_at, event_id) where state = 'waiting';
create index notifications_by_age on notifications (changed_at);

-- In the transaction of the event. The minute to undo a cancellation is UNDO_SECONDS in
-- src/domains/orders/contract.ts.
create function order_events_queue_notification() returns trigger language plpgsql as $$
begin
  insert into notifications (event_id, due_at, changed_at)
  values (new.id, new.at + case when new.kind = 'cancelled' then interval '60 seconds' else interval '0' end, new.at);
  return null;
end $$;
create trigger order_events_queued after insert on order_events
  for each row when (new.kind in ('placed', 'weighed', 'cancelled', 'refunded') or new.stage in ('delivery', 'delivered'))
  execute function order_events_queue_notification();

-- The sources of the text of a notification: its event, and the order as it is now. Sent to
-- the verified number of the account, not to that of the address.
create view notification_facts as
select event.id as event_id, event.kind, event.stage, event.data, event.at,
       orders.id as order_id, orders.customer_id, orders.guest_session_hash, customers.mobile,
       orders.stage as order_stage, orders.cancelled_at, orders.pickup_day, orders.timeslot,
       orders.rate_paise, orders.offer_percent, orders.weight_grams, orders.items
  from order_events event
  join orders on orders.id = event.order_id
  join customers on customers.id = orders.customer_id;

-- The kinds of message that a customer has switched off. No row: none.
create table notification_settings (
  customer_id text primary key references customers (id),
  muted text[] not null
);
