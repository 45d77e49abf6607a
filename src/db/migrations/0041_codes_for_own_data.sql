-- compatible-since: 0040

-- Codes with which a customer gets a copy of the data of the account, or deletes it. The purposes
-- are PURPOSES in src/domains/verification/contract.ts.
alter table verification_codes drop constraint verification_codes_purpose_check;
alter table verification_codes add constraint verification_codes_purpose_check
  check (purpose in ('signup', 'reset', 'guest', 'export', 'deletion'));
alter table verification_grants drop constraint verification_grants_purpose_check;
alter table verification_grants add constraint verification_grants_purpose_check
  check (purpose in ('signup', 'reset', 'guest', 'export', 'deletion', 'receipt'));
