-- compatible-since: 0051

-- A message is withdrawn if its order has all its messages of the day.
alter table notifications drop constraint notifications_failure_check;
alter table notifications
  add constraint notifications_failure_check check (failure in ('not-accepted', 'rejected', 'unknown', 'too-late', 'too-many'));
