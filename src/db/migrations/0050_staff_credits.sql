-- compatible-since: 0049

-- The credits of a staff member to customers: the daily limit sums them (docs/decisions/0082). One
-- row for each audited change that credits, without money that the customer had paid.
create table staff_credits (
  audit_id bigint primary key references staff_audit (id),
  staff_id text not null references staff_members (id),
  at timestamptz not null,
  amount_paise bigint not null check (amount_paise > 0)
);
create index staff_credits_of_member on staff_credits (staff_id, at);

-- Older versions write only the audit, so the trigger copies their credits. A later release drops
-- it.
create function staff_audit_copy_credit() returns trigger language plpgsql as $$
declare
  credited bigint := coalesce(new.after ->> 'credited_paise', new.after ->> 'amount_paise')::bigint
                     - coalesce(new.after ->> 'own_money_paise', '0')::bigint;
begin
  if credited > 0 then
    insert into staff_credits (audit_id, staff_id, at, amount_paise) values (new.id, new.staff_id, new.at, credited)
    on conflict do nothing;
  end if;
  return null;
end $$;
create trigger staff_audit_copies_credit after insert on staff_audit for each row
  when (new.staff_id is not null and new.action in ('settle-claim', 'grant-credit', 'receive-payment', 'weigh-order', 'cancel-order'))
  execute function staff_audit_copy_credit();
