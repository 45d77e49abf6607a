-- compatible-since: 0029

-- Another pickup day, and each message of the laundry in a claim, send a message. Processes of an
-- older version withdraw these.
create or replace trigger order_events_queued after insert on order_events
  for each row when (
    new.kind in ('placed', 'weighed', 'cancelled', 'refunded', 'rescheduled')
    or new.stage in ('delivery', 'delivered')
    or (new.kind = 'claim-message' and new.data ->> 'by' = 'laundry')
  )
  execute function order_events_queue_notification();
