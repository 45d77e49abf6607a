-- compatible-since: 0029

-- How many orders an evening of an area accepts (docs/decisions/0060). An older program places
-- orders without counting them: the next change of the plan counts again.

create table evening_plans (
  area text primary key check (area in ('manesar', 'vatika')),
  -- Orders placed before this time in Asia/Kolkata are picked up the same day.
  cut_off text not null default '16:00' check (cut_off ~ '^([01]\d|2[0-3]):[0-5]\d$'),
  -- Null: any number.
  capacity smallint check (capacity between 1 and 1000),
  -- 1 is Monday, 7 is Sunday.
  closed_weekdays smallint[] not null default '{}' check (closed_weekdays <@ '{1,2,3,4,5,6,7}'),
  -- Rises with every change of the plan and its exceptions. 0: no change yet, so that every evening
  -- accepts any number of orders.
  version integer not null default 0
);
insert into evening_plans (area) values ('manesar'), ('vatika');

-- Days that differ from the plan.
create table evening_exceptions (
  area text not null references evening_plans (area),
  day date not null,
  -- Null: any number. 0: closed.
  capacity smallint check (capacity between 0 and 1000),
  primary key (area, day)
);

-- The orders of an evening that are not cancelled, counted while the evening has a capacity.
create table evening_bookings (
  area text not null references evening_plans (area),
  day date not null,
  booked integer not null check (booked >= 0),
  primary key (area, day)
);
