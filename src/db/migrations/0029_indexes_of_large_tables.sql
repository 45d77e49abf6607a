-- compatible-since: 0028
-- no-transaction

-- The changes that 0019 and 0026 need of the rows that existed before them, without holding up
-- their readers and writers. docs/decisions/0059.

-- Not a temporary table: behind a pooler, each statement may have another connection.
create table if not exists maybe_unpaid as
select id from orders
 where not is_unpaid and stage = 'delivered'
   and order_final_paise(rate_paise, weight_grams, offer_percent) > order_received_paise(id);

-- Sets `is_unpaid` in the next thousand orders and returns their ids. The last statement reads the
-- payments once the rows are locked, as the trigger of 0019 does.
create or replace function set_next_unpaid() returns setof text language plpgsql as $$
declare
  batch text[];
begin
  with taken as (delete from maybe_unpaid where id in (select id from maybe_unpaid limit 1000) returning id)
  select array_agg(id) into batch from taken;
  perform from orders where id = any(batch) order by id for no key update;
  update orders set is_unpaid = true
   where id = any(batch) and not is_unpaid and stage = 'delivered'
     and order_final_paise(rate_paise, weight_grams, offer_percent) > order_received_paise(id);
  return query select unnest(batch);
end $$;

-- repeat
select set_next_unpaid();

drop function if exists set_next_unpaid();

drop table if exists maybe_unpaid;

create index concurrently if not exists orders_by_stage on orders (stage, pickup_day, id);

create index concurrently if not exists orders_by_day on orders (pickup_day, id);

create index concurrently if not exists orders_unpaid on orders (pickup_day, id) where is_unpaid;

-- For searches by the beginning of a word of the name, or of the number.
create index concurrently if not exists orders_by_ship_name on orders using gin (to_tsvector('simple', ship_name));

create index concurrently if not exists orders_by_ship_mobile on orders ((ship_mobile::text) text_pattern_ops);

create index concurrently if not exists order_events_by_xid on order_events (xid) where xid is not null;

create index concurrently if not exists order_events_by_time on order_events (at);

create index concurrently if not exists payments_by_time on payments (settled_at) where state = 'received';

create index concurrently if not exists payment_reversals_by_time on payment_reversals (reversed_at);
