-- compatible-since: 0070

-- The dismissal of a reported UPI payment sends a message. Processes of an older version withdraw
-- it.
create or replace trigger order_events_queued after insert on order_events
  for each row when (
    new.kind in ('placed', 'weighed', 'cancelled', 'refunded', 'rescheduled', 'attempted', 'payment-reversed', 'payment-dismissed')
    or (new.kind = 'moved' and new.stage in ('delivery', 'delivered'))
    or (new.kind = 'claim-message' and new.data ->> 'by' = 'laundry')
  )
  execute function order_events_queue_notification();
