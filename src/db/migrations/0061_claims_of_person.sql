-- compatible-since: 0060
-- no-transaction

-- The filter 'mine' reads the claims of one person only.
create index concurrently if not exists claims_of_person on claims (assigned_to, id) where assigned_to is not null;
