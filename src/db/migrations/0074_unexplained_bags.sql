-- compatible-since: 0073

-- The orders of which another number of bags was counted last than at the pickup, until a person
-- explains it or a later count matches. Few rows: Today reads all of them.
create table unexplained_bags (
  order_id text primary key references orders (id)
);

-- The orders of the newest 30 days.
insert into unexplained_bags (order_id)
select orders.id
  from orders
  join order_handling on order_handling.order_id = orders.id
  cross join lateral (
    select author.bags
      from order_events event join order_event_authors author on author.event_id = event.id
     where event.order_id = orders.id and author.bags is not null
     order by event.id desc limit 1) counted
 where orders.pickup_day > (select max(pickup_day) - 30 from orders) and counted.bags <> order_handling.bags
on conflict do nothing;
