-- Programs and orders. Amounts are in paise, weights in grams, rates in paise per kilogram.

create table programs (
  id text primary key,
  name text not null unique,
  rate_paise integer not null check (rate_paise between 100 and 1000000),
  unit text not null check (char_length(unit) between 1 and 20),
  description text not null,
  position smallint not null unique
);

create table area_variations (
  program_id text not null references programs (id),
  area text not null check (area in ('manesar', 'vatika')),
  surcharge_paise integer not null check (surcharge_paise between 0 and 100000),
  primary key (program_id, area)
);

create table orders (
  id text primary key,
  customer_id text not null references customers (id),
  -- The session of a guest order, which may read it. Null once an account has claimed the order.
  guest_session_hash bytea,
  program_id text not null references programs (id),
  program_name text not null,
  unit text not null,
  area text not null check (area in ('manesar', 'vatika')),
  base_rate_paise integer not null check (base_rate_paise > 0),
  surcharge_paise integer not null check (surcharge_paise >= 0),
  rate_paise integer not null check (rate_paise = base_rate_paise + surcharge_paise),
  offer_id text,
  offer_percent smallint not null default 0 check (offer_percent between 0 and 100),
  order_rate_paise integer not null check (order_rate_paise between 0 and rate_paise),
  timeslot text not null,
  pickup_day date not null,
  detergent text not null check (detergent in ('', 'surfexcel')),
  conditioner text not null check (conditioner in ('', 'softtouch')),
  iron text not null check (iron in ('', 'steam')),
  stage text not null check (stage in ('pickup', 'queue', 'washing', 'delivery', 'delivered')),
  weight_grams integer check (weight_grams between 1 and 1000000),
  items smallint check (items between 1 and 10000),
  ship_name text not null,
  ship_mobile mobile not null,
  ship_address1 text not null,
  ship_address2 text not null,
  ship_landmark text not null,
  ship_pincode text not null,
  ship_city text not null,
  ship_state text not null,
  placed_at timestamptz not null,
  check ((offer_id is null) = (offer_percent = 0)),
  -- An order cannot leave pickup without a weight, because all amounts depend on the weight.
  check (stage = 'pickup' or (weight_grams is not null and items is not null))
);
create index orders_of_customer on orders (customer_id, placed_at desc, id desc);
create index orders_of_guest on orders (guest_session_hash) where guest_session_hash is not null;

create table order_stages (
  order_id text not null references orders (id),
  stage text not null check (stage in ('pickup', 'queue', 'washing', 'delivery', 'delivered')),
  entered_at timestamptz not null,
  primary key (order_id, stage)
);

-- The statement that stores an order also stores its key. A repeated key always returns that order.
create table idempotency_keys (
  customer_id text not null references customers (id),
  key text not null check (char_length(key) between 8 and 64),
  body_hash bytea not null,
  order_id text not null references orders (id),
  created_at timestamptz not null,
  primary key (customer_id, key)
);

create table reviews (
  id text primary key,
  customer_id text not null references customers (id),
  star smallint not null check (star between 1 and 5),
  message text not null check (char_length(message) between 1 and 1000),
  sample boolean not null default false,
  created_at timestamptz not null
);
create index reviews_newest on reviews (created_at desc, id desc);
create index reviews_best on reviews (created_at desc, id desc) where star >= 4;
create index reviews_of_customer on reviews (customer_id, created_at);

-- Errors that browsers report, without personal data, kept for 30 days.
create table error_reports (
  id bigint generated always as identity primary key,
  message text not null check (char_length(message) <= 1000),
  report text not null check (octet_length(report) <= 8192),
  reported_at timestamptz not null
);
create index error_reports_by_age on error_reports (reported_at);
