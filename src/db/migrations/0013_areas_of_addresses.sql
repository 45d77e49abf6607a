-- The area decides the surcharge of orders to the address. Null if it is unknown: in addresses of
-- older versions and of clients that do not send it.
alter table addresses add column area text check (area in ('manesar', 'vatika'));
