-- compatible-since: 0017

-- The people who work in the laundry, their sessions and the record of what they change. They are
-- no customers: a person who is both has two accounts and two sessions.

-- A removed person keeps the row, because the history of orders and the audit name it.
create table staff_members (
  id text primary key,
  mobile mobile not null,
  name text not null check (char_length(name) between 2 and 200),
  role text not null check (role in ('owner', 'operator', 'rider')),
  -- Null until the person has set a password with the link.
  password_hash text,
  -- Of the token in the one-time link. A new link replaces the old one.
  link_hash bytea unique,
  link_expires_at timestamptz,
  created_at timestamptz not null,
  removed_at timestamptz,
  check ((link_hash is null) = (link_expires_at is null)),
  check (removed_at is null or link_hash is null)
);
create unique index staff_members_by_mobile on staff_members (mobile) where removed_at is null;

-- `created_at` is the time of the log-in: some calls need a recent one.
create table staff_sessions (
  token_hash bytea primary key,
  staff_id text not null references staff_members (id),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index staff_sessions_of_member on staff_sessions (staff_id);
create index staff_sessions_by_expiry on staff_sessions (expires_at);

-- One row for each change, in its transaction, and for each call that a role did not allow. No
-- staff member: a command in the terminal.
create table staff_audit (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  staff_id text references staff_members (id),
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb
);
create index staff_audit_of_member on staff_audit (staff_id, id);
create index staff_audit_of_action on staff_audit (action, id);
create index staff_audit_of_subject on staff_audit (subject_id, id);

-- The response to each write that had an Idempotency-Key, for a day.
create table staff_answers (
  staff_id text not null references staff_members (id),
  key text not null,
  request_hash bytea not null,
  -- Null only inside the transaction that makes the response.
  answer jsonb,
  created_at timestamptz not null,
  primary key (staff_id, key)
);
create index staff_answers_by_age on staff_answers (created_at);
