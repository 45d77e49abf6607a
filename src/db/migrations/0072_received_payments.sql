-- compatible-since: 0071

-- A received payment and the evening of another delivery send a message. Processes of an older
-- version withdraw both. A payment that the staff noted waits for the minute in which its reversal
-- sends nothing, and in which others join it (docs/decisions/0132).
create or replace function order_events_queue_notification() returns trigger language plpgsql as $$
begin
  insert into notifications (event_id, due_at, changed_at)
  values (new.id,
          new.at + case
            when new.kind = 'cancelled' then interval '60 seconds'
            when new.kind = 'paid' and exists (
              select from payments where reference = new.data ->> 'reference' and method in ('cash', 'upi')
            ) then interval '60 seconds'
            else interval '0'
          end,
          new.at);
  return null;
end $$;

create or replace trigger order_events_queued after insert on order_events
  for each row when (
    new.kind in ('placed', 'weighed', 'cancelled', 'refunded', 'rescheduled', 'attempted', 'delivery-chosen', 'paid',
                 'payment-reversed', 'payment-dismissed')
    or (new.kind = 'moved' and new.stage in ('delivery', 'delivered'))
    or (new.kind = 'claim-message' and new.data ->> 'by' = 'laundry')
  )
  execute function order_events_queue_notification();
