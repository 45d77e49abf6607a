-- compatible-since: 0029

-- The cash that each person holds: the sum of the movements. The lock of the row orders the
-- movements of a person. A person without a row has never held cash.
create table cash_balances (
  staff_id text primary key references staff_members (id),
  held_paise bigint not null
);

create function cash_movements_balance() returns trigger language plpgsql as $$
begin
  insert into cash_balances (staff_id, held_paise) values (new.staff_id, new.amount_paise)
  on conflict (staff_id) do update set held_paise = cash_balances.held_paise + excluded.held_paise;
  return null;
end $$;
-- Blocks other movements until the sums are stored.
create trigger cash_movements_balanced after insert on cash_movements
  for each row execute function cash_movements_balance();
insert into cash_balances (staff_id, held_paise)
select staff_id, sum(amount_paise) from cash_movements group by staff_id;

-- Payments that were reversed after this hand-in: the holder should have had less.
alter table cash_handins add column reversed_paise bigint not null default 0 check (reversed_paise >= 0);
