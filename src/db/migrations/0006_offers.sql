-- Offers to customers. An offer is active for valid_days times 24 hours after starts_at
-- (Asia/Kolkata has no daylight saving time). Orders store a copy of the applied offer.

create table offers (
  id text primary key,
  customer_id text not null references customers (id),
  percent smallint not null check (percent between 1 and 100),
  valid_days smallint not null check (valid_days between 1 and 3650),
  -- Whole seconds, as in responses, so that browser and server agree on the millisecond of the end.
  starts_at timestamptz not null check (starts_at = date_trunc('second', starts_at)),
  reason text not null check (char_length(reason) between 3 and 200),
  granted_at timestamptz not null
);
create index offers_of_customer on offers (customer_id, starts_at desc, id desc);
