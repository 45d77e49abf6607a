-- compatible-since: 0063
-- no-transaction

create index concurrently if not exists ledger_entries_by_xid on ledger_entries (xid) where xid is not null;
