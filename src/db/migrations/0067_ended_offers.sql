-- compatible-since: 0066

-- When the laundry ended an offer before its last day.
alter table offers add column ended_at timestamptz;
