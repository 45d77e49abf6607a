-- Customers, their sessions, the codes that verify a mobile number, and the grants of a confirmed
-- code. The program passes all times, because its clock is the only one: no column defaults to
-- now().

create domain mobile as text check (value ~ '^[0-9]{10}$');

-- A customer without a password is a guest who verified the mobile and ordered. A sign-up or a
-- password reset with that mobile completes the account.
create table customers (
  id text primary key,
  mobile mobile not null unique,
  name text check (char_length(name) between 2 and 200),
  email text not null default '' check (char_length(email) <= 200),
  password_hash text,
  referred_by text references customers (id),
  created_at timestamptz not null,
  check ((name is null) = (password_hash is null))
);

-- Only the hash of the cookie is stored, so that a leaked table cannot be used to sign in.
create table sessions (
  token_hash bytea primary key,
  customer_id text not null references customers (id) on delete cascade,
  kind text not null check (kind in ('customer', 'guest')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_of_customer on sessions (customer_id);
create index sessions_by_expiry on sessions (expires_at);

-- Messages to customers. A message is inserted in the transaction that causes it, and sent after
-- the commit by the process that serves the request. States: 'sending' is claimed by one process;
-- 'failed' has an unknown result; 'withdrawn' was not sent and never will be. With a real gateway,
-- text and code are deleted after sending. A demonstration shows this table as its outbox, and
-- keeps both for a day.
create table outbox_messages (
  id bigint generated always as identity primary key,
  browser_hash bytea not null,
  mobile mobile not null,
  text text not null,
  code text,
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'failed', 'withdrawn')),
  created_at timestamptz not null,
  sent_at timestamptz
);
create index outbox_messages_unfinished on outbox_messages (created_at) where state in ('waiting', 'sending');
create index outbox_messages_of_mobile on outbox_messages (mobile, id);

-- One row for each code, kept for a day to count the limits of a number. browser_hash is the hash
-- of the HttpOnly cookie of the browser that requested the code. handle is the provider's value for
-- checking a code (our own provider uses a keyed hash of the code). It is null until the provider
-- returns it.
create table verification_codes (
  id bigint generated always as identity primary key,
  browser_hash bytea not null,
  mobile mobile not null,
  purpose text not null check (purpose in ('signup', 'reset', 'guest')),
  handle text,
  message_id bigint references outbox_messages (id) on delete set null,
  tries_left smallint not null default 3 check (tries_left between 0 and 3),
  wrong_guesses smallint not null default 0 check (wrong_guesses between 0 and 3),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  voided_at timestamptz
);
create index verification_codes_of_mobile on verification_codes (mobile, created_at);
-- A resend voids the earlier code in the same transaction. This index prevents two live codes.
create unique index one_live_code on verification_codes (browser_hash, mobile, purpose) where used_at is null and voided_at is null;

-- A confirmed code permits one action: to sign up, to set a new password or to order as a guest.
-- A sign-up leaves a 'receipt' for the referral bonus.
create table verification_grants (
  id bigint generated always as identity primary key,
  browser_hash bytea not null,
  mobile mobile not null,
  purpose text not null check (purpose in ('signup', 'reset', 'guest', 'receipt')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index verification_grants_of_browser on verification_grants (browser_hash, purpose);

-- getsingle.php returns a handle instead of a user id. A handle is short-lived, and only identifies
-- the number of a password reset.
create table reset_handles (
  handle text primary key,
  mobile mobile not null,
  expires_at timestamptz not null
);

-- Accepted proofs of work, stored until they expire, so that each proof is accepted once.
create table bot_proofs (
  proof_hash bytea primary key,
  expires_at timestamptz not null
);

-- Counters of limits that all processes share. Unlogged: a crash resets the limits, which is
-- harmless.
create unlogged table limit_windows (
  name text not null,
  subject_hash bytea not null,
  window_start timestamptz not null,
  taken integer not null,
  primary key (name, subject_hash, window_start)
);
create index limit_windows_by_age on limit_windows (window_start);

-- Consecutive wrong passwords, and the time of the next permitted attempt. A subject is a mobile,
-- or a known browser of its customer. Unlogged, like limit_windows.
create unlogged table login_waits (
  subject_hash bytea primary key,
  wrong integer not null,
  next_try_at timestamptz not null
);

-- Saved addresses. A deleted address leaves no row; orders store a copy of their address.
create table addresses (
  id text primary key,
  customer_id text not null references customers (id) on delete cascade,
  name text not null check (char_length(name) between 3 and 200),
  mobile mobile not null,
  address1 text not null check (char_length(address1) between 3 and 200),
  address2 text not null check (char_length(address2) between 3 and 200),
  landmark text not null check (char_length(landmark) between 3 and 200),
  pincode text not null check (pincode = '122052'),
  city text not null check (city = 'Gurugram'),
  state text not null check (state = 'Haryana'),
  created_at timestamptz not null
);
create index addresses_of_customer on addresses (customer_id, created_at);
