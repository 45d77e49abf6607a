-- compatible-since: 0018

-- The second factor of the staff: credentials of WebAuthn, called passkeys.
create table staff_passkeys (
  -- The id of the credential in base64url.
  id text primary key,
  staff_id text not null references staff_members (id),
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index staff_passkeys_of_member on staff_passkeys (staff_id);

-- A person who is about to use or to add a passkey, in one browser. For 'log-in' and 'enrol' the
-- password was correct and there is no session yet.
create table staff_passkey_steps (
  token_hash bytea primary key,
  staff_id text not null references staff_members (id),
  purpose text not null check (purpose in ('log-in', 'enrol', 'add')),
  -- Used once. Null before the options were sent and after the use.
  challenge text,
  expires_at timestamptz not null
);
create index staff_passkey_steps_of_member on staff_passkey_steps (staff_id);
create index staff_passkey_steps_by_expiry on staff_passkey_steps (expires_at);
