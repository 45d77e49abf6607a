-- compatible-since: 0026

-- What each person holds: the sum of the movements. The lock of the row orders the movements of a
-- person. A person without a row has never held cash.
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
drop index cash_movements_of_holder;

-- The first hand-in after a payment.
create index cash_movements_handed_in on cash_movements (staff_id, id) where kind = 'handed-in';

-- Payments that were reversed after this hand-in: the holder should have had less.
alter table cash_handins add column reversed_paise bigint not null default 0 check (reversed_paise >= 0);
drop index cash_handins_open;
create index cash_handins_open on cash_handins (handed_in_at, id)
  where counted_paise <> expected_paise - reversed_paise and explanation is null;
