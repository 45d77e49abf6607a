-- compatible-since: 0041

-- When the customer said that a UPI payment is paid. Only the statement of the bank confirms it.
alter table payments add column if not exists reported_at timestamptz;
