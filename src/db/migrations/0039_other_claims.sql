-- compatible-since: 0038

-- A claim about something else. The kinds are CLAIM_KINDS in src/domains/claims/contract.ts.
alter table claims drop constraint claims_kind_check;
alter table claims add constraint claims_kind_check check (kind in ('damaged', 'missing', 'late', 'amount', 'other'));
