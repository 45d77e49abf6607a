-- compatible-since: 0047

-- Keyed hashes of the mobile numbers of erased customers, so that a number that signs up again is
-- no new customer (docs/decisions/0084).
create table erased_numbers (
  number_hash bytea primary key,
  erased_at timestamptz not null
);
