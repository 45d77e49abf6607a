-- Offers that the laundry gave to customers. An offer is active after its moment and up to so many days of 24 hours later (Asia/Kolkata has no daylight
-- saving). Orders keep their own copy of what was applied.

create table offers (
  id text primary key,
  customer_id text not null references customers (id),
  percent smallint not null check (percent between 1 and 100),
  valid_days smallint not null check (valid_days between 1 and 3650),
  -- In whole seconds, as it crosses the wire: browser and server decide to the same millisecond.
  starts_at timestamptz not null check (starts_at = date_trunc('second', starts_at)),
  reason text not null check (char_length(reason) between 3 and 200),
  granted_at timestamptz not null
);
create index offers_of_customer on offers (customer_id, starts_at desc, id desc);
