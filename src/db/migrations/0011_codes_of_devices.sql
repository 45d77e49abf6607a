-- The known device that requested a code. One known device gets a share of the codes of all known
-- devices of its number. Null for strangers and in rows of older versions.
alter table verification_codes add column device_hash bytea;
