-- compatible-since: 0026

-- The bags that a person counted at a change of an order: at the pickup, before the washing and at
-- the hand-over.
alter table order_event_authors add column bags smallint check (bags between 0 and 99);

create or replace view desk_events as
select event.id, event.order_id, event.kind, event.stage, event.data, event.at,
       author.staff_id, author.device_at, author.note, staff_members.name as staff_name,
       payment.method as payment_method, payment.amount_paise as payment_paise, author.bags
  from order_events event
  left join order_event_authors author on author.event_id = event.id
  left join staff_members on staff_members.id = author.staff_id
  left join payments payment on payment.reference = event.data ->> 'reference';
