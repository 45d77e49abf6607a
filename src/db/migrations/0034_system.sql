-- compatible-since: 0029

-- The last run of each background job. A run without an end is running, or its process was killed.
-- 'unbalanced' is a result of the audit of the ledger.
create table job_runs (
  job text primary key,
  started_at timestamptz not null,
  ended_at timestamptz,
  duration_ms integer,
  outcome text check (outcome in ('succeeded', 'failed', 'unbalanced')),
  error text,
  -- The steps of the audit that are done.
  progress smallint not null default 0,
  succeeded_at timestamptz,
  -- When the audit found a fault that no sound audit has followed.
  unbalanced_at timestamptz,
  check ((ended_at is null) = (outcome is null))
);

-- Why the last attempt did not send a message, and the words of the gateway. After 'not-accepted',
-- 'rejected' and 'too-late' it was certainly not sent.
alter table notifications
  add column failure text check (failure in ('not-accepted', 'rejected', 'unknown', 'too-late')),
  add column error text;
alter table outbox_messages
  add column failure text check (failure in ('not-accepted', 'rejected', 'unknown')),
  add column error text;
