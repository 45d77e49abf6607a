-- compatible-since: 0035

-- An erasure removes what the staff wrote about a customer. Every other fact of a received payment,
-- of its reversal and of an entry of the ledger stays as it is.

create or replace function payments_guard_change() returns trigger language plpgsql as $$
begin
  if (new.tid, new.order_id, new.method, new.amount_paise, new.due_paise, new.reference, new.created_at)
      is distinct from (old.tid, old.order_id, old.method, old.amount_paise, old.due_paise, old.reference, old.created_at) then
    raise exception 'a payment keeps its facts' using errcode = 'integrity_constraint_violation';
  end if;
  if old.state = 'received' and new is distinct from old
      and (new.note is not null or to_jsonb(new) - 'note' is distinct from to_jsonb(old) - 'note') then
    raise exception 'a received payment keeps its facts' using errcode = 'integrity_constraint_violation';
  end if;
  if new.state <> old.state and not (old.state = 'pending' or (old.state = 'failed' and new.state = 'received')) then
    raise exception 'a payment never goes back from % to %', old.state, new.state using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;

create or replace function payment_reversals_refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.reason = 'erased' and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
      return new;
    end if;
  end if;
  raise exception 'reversals are kept' using errcode = 'integrity_constraint_violation';
end $$;

-- Also the function of the triggers of ledger_postings and ledger_accounts.
create or replace function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'ledger_entries' then
    if new.reason = 'erased' and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
      return new;
    end if;
  end if;
  raise exception 'the ledger is append-only: correct an entry with a new one' using errcode = 'integrity_constraint_violation';
end $$;

-- Responses to the staff are removed after two days, while their keys stay.
create index if not exists staff_answers_to_forget on staff_answers (created_at) where answer is not null;
