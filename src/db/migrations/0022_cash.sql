-- compatible-since: 0021

-- Cash that the staff holds (docs/decisions/0053). Another person counts it when it is handed in.
-- A difference is open until the owner explains it.
create table cash_handins (
  id text primary key,
  holder_id text not null references staff_members (id),
  counter_id text not null references staff_members (id),
  -- The expected and the counted cash of the holder.
  expected_paise bigint not null,
  counted_paise bigint not null check (counted_paise >= 0),
  handed_in_at timestamptz not null,
  explanation text check (char_length(explanation) between 1 and 200),
  explained_by text references staff_members (id),
  check ((explanation is null) = (explained_by is null))
);
create index cash_handins_newest on cash_handins (handed_in_at desc, id desc);
create index cash_handins_open on cash_handins (handed_in_at, id) where counted_paise <> expected_paise and explanation is null;

-- The cash that a person holds is the sum of the movements. A positive amount is cash that the
-- person got.
create table cash_movements (
  id bigint generated always as identity primary key,
  staff_id text not null references staff_members (id),
  kind text not null check (kind in ('received', 'reversed', 'handed-in', 'counted')),
  amount_paise bigint not null check (amount_paise <> 0),
  payment_tid text references payments (tid),
  handin_id text references cash_handins (id),
  at timestamptz not null,
  check ((payment_tid is null) <> (handin_id is null)),
  unique (payment_tid, kind),
  unique (handin_id, kind)
);
create index cash_movements_of_holder on cash_movements (staff_id);
