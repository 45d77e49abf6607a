-- compatible-since: 0041

-- When the customer reported a UPI payment as paid. Only the statement of the bank confirms it.
alter table payments add column if not exists reported_at timestamptz;
