-- compatible-since: 0062

-- The transaction of an entry, so that an audit finds the entries since an earlier one: their times
-- are those of the program, and written before the commit. Null in rows that existed before, and
-- after a restore.
alter table ledger_entries add column xid xid8;
alter table ledger_entries alter column xid set default pg_current_xact_id();

-- Every transaction before it had ended, and its entries were sound.
alter table job_runs add column mark xid8;
