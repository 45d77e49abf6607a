-- compatible-since: 0027

-- Photos that the staff takes for an order. The files are in the photo storage
-- (src/domains/claims/provider.server.ts). The row exists before the file, so that every stored
-- file has a row and can be deleted.
create table order_photos (
  id text primary key,
  order_id text not null references orders (id),
  staff_id text not null references staff_members (id),
  kind text not null check (kind in ('weigh', 'damage', 'hand-over')),
  -- A repeated key returns the photo of the first request.
  request_key text not null check (char_length(request_key) between 8 and 64),
  type text not null check (type in ('image/jpeg', 'image/png', 'image/webp')),
  bytes integer not null check (bytes between 1 and 5242880),
  created_at timestamptz not null,
  -- Null while the file is being written.
  stored_at timestamptz,
  unique (staff_id, request_key)
);
create index order_photos_of_order on order_photos (order_id, created_at, id);
create index order_photos_incomplete on order_photos (created_at) where stored_at is null;
