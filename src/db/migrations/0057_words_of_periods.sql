-- compatible-since: 0056

-- The period of a search for names: the 28 days that contain the day.
create function search_period(day date) returns integer language sql immutable parallel safe
return (day - date '2000-01-03') / 28;

-- The words of a name, each with the period of the day: '351/asha'.
create function words_in_period(name text, day date) returns text[] language sql immutable parallel safe
return array(select search_period(day) || '/' || word from unnest(tsvector_to_array(to_tsvector('simple', name))) word);

create or replace view desk_order_filters as
select id, customer_id, area, stage, pickup_day, weight_grams, returned_at, is_unpaid,
       ship_mobile::text as ship_mobile, to_tsvector('simple', ship_name) as name_words,
       words_in_period(ship_name, pickup_day) as period_words
  from orders;
