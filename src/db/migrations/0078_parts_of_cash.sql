-- compatible-since: 0077
-- no-transaction

-- The cash that its holder kept when a part was handed in or banked. It is not part of
-- expected_paise: the difference is that of the part (docs/decisions/0151).
alter table cash_handins add column if not exists kept_paise bigint not null default 0 check (kept_paise >= 0);

-- A payment is received once. Its reversal can take cash from several people, once from each.
create unique index concurrently if not exists cash_movements_received on cash_movements (payment_tid) where kind = 'received';

create unique index concurrently if not exists cash_movements_reversed on cash_movements (payment_tid, staff_id) where kind = 'reversed';

alter table cash_movements drop constraint if exists cash_movements_payment_tid_kind_key;
