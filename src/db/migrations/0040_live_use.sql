-- compatible-since: 0039

-- One row from the first start with MODE=live. A demonstration, whose accounts and codes are open
-- to its visitors, does not start on the database then.
create table live_use (
  is_only_row boolean primary key default true check (is_only_row),
  since timestamptz not null
);
