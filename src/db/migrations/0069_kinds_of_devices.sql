-- compatible-since: 0068

-- A person of the staff can be a customer with the same number: a log-in of the customer must
-- neither make a browser known to the console nor push out those that are. Rows of older versions
-- count as the customer's: the next log-in makes a browser of the staff known again.
alter table known_devices
  add column kind text not null default 'customer' check (kind in ('customer', 'staff'));
