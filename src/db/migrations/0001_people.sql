-- Who someone is: customers, their sessions, the codes that prove a mobile number and what a proved number may do next.
-- Times are passed in by the program (its clock is the only one), so no column defaults to now().

create domain mobile as text check (value ~ '^[0-9]{10}$');

-- A customer without a password is a guest who has proved the mobile and ordered; a sign-up or a reset with that mobile makes the account full.
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

-- Only the hash of the cookie is kept: who reads this table cannot sign in with it.
create table sessions (
  token_hash bytea primary key,
  customer_id text not null references customers (id) on delete cascade,
  kind text not null check (kind in ('customer', 'guest')),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_of_customer on sessions (customer_id);
create index sessions_by_expiry on sessions (expires_at);

-- Messages to the outside, written in the transaction that causes them and sent afterwards by the process whose page waits for them. sending: one
-- process has taken it; failed: nobody knows whether it went out; withdrawn: it did not, and will not. With a real gateway text and code are emptied
-- once the message is out; in a demonstration this table is the outbox, and they stay readable for a day.
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

-- One row per code sent, kept a day for the limits per number. browser_hash is the hash of the HttpOnly cookie of the browser that asked; handle is what
-- the code provider needs to check an answer (our own provider's is a keyed hash of the code) and is null until the code is on its way.
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
-- A resend voids the earlier code in the same transaction; this index keeps two live codes from existing at once.
create unique index one_live_code on verification_codes (browser_hash, mobile, purpose) where used_at is null and voided_at is null;

-- What a confirmed code allows, once: to sign up, to set a new password, to order as a guest; 'receipt' is what a sign-up leaves for the referral bonus.
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

-- The handle that getsingle.php answers in place of a userid: short-lived, and good for nothing but naming the number in this browser's reset.
create table reset_handles (
  handle text primary key,
  mobile mobile not null,
  expires_at timestamptz not null
);

-- Proofs of work that were accepted, until they would expire anyway: a proof passes once.
create table bot_proofs (
  proof_hash bytea primary key,
  expires_at timestamptz not null
);

-- Counters for limits that all processes share. Unlogged: losing them in a crash only forgives.
create unlogged table limit_windows (
  name text not null,
  subject_hash bytea not null,
  window_start timestamptz not null,
  taken integer not null,
  primary key (name, subject_hash, window_start)
);
create index limit_windows_by_age on limit_windows (window_start);

-- Wrong passwords in a row and when the next try may be made; a subject is a mobile, or one of its owner's known browsers. Unlogged as above.
create unlogged table login_waits (
  subject_hash bytea primary key,
  wrong integer not null,
  next_try_at timestamptz not null
);

-- Saved addresses. A deleted one is gone; orders keep their own copy of what they were placed with.
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
