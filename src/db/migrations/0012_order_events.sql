-- The history of an order: one row for each change of the order or its payments, written in the
-- transaction of the change. The writer holds the lock of the order's row when it gets the id, so
-- that the changes of one order become visible in the order of their ids.
create table order_events (
  id bigint generated always as identity primary key,
  order_id text not null references orders (id),
  -- One of OrderEventKind in src/domains/orders/rules.ts.
  kind text not null check (kind ~ '^[a-z]+(-[a-z]+)*$'),
  -- The stage that the order entered, null if the change kept its stage.
  stage text,
  -- Facts that no other row keeps, or that identify another row.
  data jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
  at timestamptz not null
);
create index order_events_of_order on order_events (order_id, id);

insert into order_events (order_id, kind, stage, at)
select order_id, case stage when 'pickup' then 'placed' else 'moved' end, stage, entered_at
  from order_stages
 order by entered_at, array_position(array['pickup', 'queue', 'washing', 'delivery', 'delivered'], stage);

-- During an update a process of an older version still writes to order_stages and nothing else. A
-- later migration drops that table and this trigger.
create function order_stages_to_events() returns trigger language plpgsql as $$
begin
  insert into order_events (order_id, kind, stage, at)
  values (new.order_id, case new.stage when 'pickup' then 'placed' else 'moved' end, new.stage, new.entered_at);
  return null;
end $$;
create trigger order_stages_copied after insert on order_stages
  for each row execute function order_stages_to_events();

-- Every process listens on this channel for the orders that its visitors watch. A new order has no
-- visitors, and PostgreSQL commits transactions that notify one after another.
create function order_events_notify() returns trigger language plpgsql as $$
begin
  perform pg_notify('order_events', new.order_id);
  return null;
end $$;
create trigger order_events_notified after insert on order_events
  for each row when (new.kind <> 'placed') execute function order_events_notify();
