-- Problems that customers report about their orders, each with a thread and up to three photos. The
-- photos themselves are in the photo storage (src/domains/claims/provider.server.ts).

create table claims (
  id text primary key,
  customer_id text not null references customers (id),
  order_id text not null references orders (id),
  kind text not null check (kind in ('damaged', 'missing', 'late', 'amount')),
  status text not null default 'open' check (status in ('open', 'answered', 'settled')),
  -- A repeated key returns the claim of the first request.
  request_key text not null check (char_length(request_key) between 8 and 64),
  body_hash bytea not null,
  created_at timestamptz not null,
  answer_by timestamptz not null check (answer_by > created_at),
  settled_at timestamptz,
  -- The credit to the wallet; null if the claim was settled without money.
  settled_paise bigint check (settled_paise > 0),
  unique (customer_id, request_key),
  check ((status = 'settled') = (settled_at is not null)),
  check (settled_paise is null or settled_at is not null)
);
create index claims_of_order on claims (order_id, created_at desc, id desc);
create index claims_to_answer on claims (answer_by, id) where status <> 'settled';

create table claim_messages (
  id bigint generated always as identity primary key,
  claim_id text not null references claims (id),
  author text not null check (author in ('customer', 'staff')),
  message text not null check (char_length(message) between 1 and 1000),
  written_at timestamptz not null
);
create index claim_messages_of_claim on claim_messages (claim_id, id);

-- The row exists before the file, so that every stored file has a row and can be deleted.
create table claim_photos (
  id text primary key,
  customer_id text not null references customers (id),
  -- The session of a guest who uploaded the photo.
  guest_session_hash bytea,
  type text not null check (type in ('image/jpeg', 'image/png', 'image/webp')),
  bytes integer not null check (bytes between 1 and 5242880),
  created_at timestamptz not null,
  -- Null while the file is being written, and once it is being deleted.
  stored_at timestamptz,
  claim_id text references claims (id),
  -- At most three photos for each claim.
  position smallint check (position between 1 and 3),
  unique (claim_id, position),
  check ((claim_id is null) = (position is null)),
  check (claim_id is null or stored_at is not null)
);
create index claim_photos_unsent on claim_photos (created_at) where claim_id is null;
