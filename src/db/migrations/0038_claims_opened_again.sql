-- compatible-since: 0037

-- A reply of the customer opens a settled claim again. It keeps the time and the credits of its
-- settlement. An older process still refuses the reply.
alter table claims drop constraint claims_check1;
alter table claims add constraint claims_settled_at check (status <> 'settled' or settled_at is not null);
