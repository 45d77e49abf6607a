-- compatible-since: 0045

-- The user of the operating system who ran a command in the terminal. Null for a change of the
-- staff, for a failed log-in, and for commands of older versions.
alter table staff_audit add column command_user text;

-- A request that was authenticated before the erasure of its customer writes nothing after it.
alter table customers add column is_erased boolean not null default false;
