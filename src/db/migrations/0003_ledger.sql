-- Wallets as a double-entry ledger (docs/ledger.md). Amounts are in paise. A posting adds its
-- amount to its account: a credit is positive on the wallet and negative on the counter-account.
-- Entries and postings are never changed or removed. A new entry corrects an error.

create table ledger_accounts (
  -- 'wallet:<customer id>', or the name of a counter-account.
  id text primary key,
  customer_id text unique references customers (id),
  -- Stored for wallets only, and updated only by a trigger below. The balance of a counter-account
  -- is the sum of its postings: a stored one would be a row that every payment locks.
  balance_paise bigint not null default 0,
  check (id = coalesce('wallet:' || customer_id, id)),
  constraint wallet_never_negative check (balance_paise >= 0),
  check (customer_id is not null or balance_paise = 0)
);
insert into ledger_accounts (id) values ('promotion'), ('compensation'), ('change'), ('cashback'), ('paid');

create table ledger_entries (
  id text primary key,
  -- Also the name of the counter-account.
  kind text not null check (kind in ('promotion', 'compensation', 'change', 'cashback', 'paid')),
  reason text not null check (char_length(reason) between 3 and 200),
  -- Unique, so that a movement happens once: 'referral:<new customer>', 'order:<order>:wallet' …
  reference text not null unique check (char_length(reference) between 3 and 200),
  order_id text references orders (id),
  created_at timestamptz not null,
  check (kind <> 'paid' or order_id is not null)
);
create unique index one_wallet_payment_per_order on ledger_entries (order_id) where kind = 'paid';

create table ledger_postings (
  entry_id text not null references ledger_entries (id),
  account_id text not null references ledger_accounts (id),
  amount_paise bigint not null check (amount_paise <> 0),
  created_at timestamptz not null,
  primary key (entry_id, account_id)
);
create index ledger_postings_of_account on ledger_postings (account_id, created_at desc, entry_id desc);

create function ledger_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger is append-only: correct an entry with a new one' using errcode = 'integrity_constraint_violation';
end $$;

create trigger ledger_entries_append_only before update or delete on ledger_entries for each row execute function ledger_refuse_change();
create trigger ledger_entries_not_emptied before truncate on ledger_entries for each statement execute function ledger_refuse_change();
create trigger ledger_postings_append_only before update or delete on ledger_postings for each row execute function ledger_refuse_change();
create trigger ledger_postings_not_emptied before truncate on ledger_postings for each statement execute function ledger_refuse_change();
create trigger ledger_accounts_not_removed before delete on ledger_accounts for each row execute function ledger_refuse_change();
create trigger ledger_accounts_not_emptied before truncate on ledger_accounts for each statement execute function ledger_refuse_change();

-- An entry has two postings, on the kind's counter-account and on one wallet, that sum to zero. The
-- check runs at commit, because rows are inserted one after another.
create function ledger_check_entry() returns trigger language plpgsql as $$
declare
  -- The trigger's argument names the column with the entry's id: both tables use this function.
  checked text := to_jsonb(new) ->> tg_argv[0];
  fault boolean;
begin
  select count(*) <> 2
      or sum(posting.amount_paise) <> 0
      or count(*) filter (where account.customer_id is not null) <> 1
      or count(*) filter (where posting.account_id = entry.kind) <> 1
      or bool_or(account.customer_id is not null and (posting.amount_paise < 0) <> (entry.kind = 'paid'))
    into fault
    from ledger_entries entry
    left join ledger_postings posting on posting.entry_id = entry.id
    left join ledger_accounts account on account.id = posting.account_id
   where entry.id = checked;
  if fault is distinct from false then
    raise exception 'entry % is not two postings that sum to zero', checked using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;

create constraint trigger ledger_entries_balanced after insert on ledger_entries
  deferrable initially deferred for each row execute function ledger_check_entry('id');
create constraint trigger ledger_postings_balanced after insert on ledger_postings
  deferrable initially deferred for each row execute function ledger_check_entry('entry_id');

-- Adds a posting to the stored balance of its wallet, under the row's lock. The check
-- wallet_never_negative rejects a negative result.
create function ledger_move_balance() returns trigger language plpgsql as $$
begin
  update ledger_accounts set balance_paise = balance_paise + new.amount_paise where id = new.account_id and customer_id is not null;
  return null;
end $$;
create trigger ledger_postings_move_balance after insert on ledger_postings for each row execute function ledger_move_balance();

create function ledger_guard_account() returns trigger language plpgsql as $$
begin
  -- Depth 1 is this trigger alone. Depth 2 is an update by the trigger of a posting. No other
  -- update of a balance is allowed.
  if tg_op = 'INSERT' and new.balance_paise <> 0 then
    raise exception 'a wallet starts empty' using errcode = 'integrity_constraint_violation';
  end if;
  if tg_op = 'UPDATE' and (pg_trigger_depth() < 2 or new.id <> old.id or new.customer_id is distinct from old.customer_id) then
    raise exception 'a balance moves only with a posting' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger ledger_accounts_guarded before insert or update on ledger_accounts for each row execute function ledger_guard_account();
