-- Browsers in which the owner of a mobile number has confirmed a code or logged in. Only the hash
-- of the cookie is stored. A password reset deletes the rows of its number.
create table known_devices (
  device_hash bytea primary key,
  mobile mobile not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index known_devices_of_mobile on known_devices (mobile);
create index known_devices_by_expiry on known_devices (expires_at);

-- Known devices and strangers have separate limits for the codes of a number. network_hash is a
-- keyed hash of the network that requested the code; it is null in rows of older versions.
alter table verification_codes
  add column known_device boolean not null default false,
  add column network_hash bytea;
create index verification_codes_of_proved_network on verification_codes (network_hash) where used_at is not null;
