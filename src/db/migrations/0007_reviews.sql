-- The number of reviews for each number of stars. Triggers update it in the transaction that
-- changes the reviews, so that the average and the bars are read from five rows, without counting.
create table review_counts (
  star smallint primary key check (star between 1 and 5),
  reviews integer not null check (reviews >= 0)
);
insert into review_counts (star, reviews)
  select star, (select count(*) from reviews where reviews.star = stars.star) from generate_series(1, 5) as stars (star);

-- Runs once for each statement, so that loading many reviews stays fast. Rows are locked in the
-- order of the stars, so that two statements cannot deadlock.
create function review_counts_add() returns trigger language plpgsql as $$
declare
  changed record;
begin
  for changed in select star, count(*) as number from added group by star order by star loop
    update review_counts set reviews = reviews + changed.number where star = changed.star;
  end loop;
  return null;
end $$;

create function review_counts_remove() returns trigger language plpgsql as $$
declare
  changed record;
begin
  for changed in select star, count(*) as number from removed group by star order by star loop
    update review_counts set reviews = reviews - changed.number where star = changed.star;
  end loop;
  return null;
end $$;

-- Rejects a change of the stars and a truncation, which would leave the counts wrong.
create function reviews_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the stars of a review stay as they were given' using errcode = 'integrity_constraint_violation';
end $$;

create trigger reviews_counted after insert on reviews referencing new table as added for each statement execute function review_counts_add();
create trigger reviews_uncounted after delete on reviews referencing old table as removed for each statement execute function review_counts_remove();
create trigger reviews_keep_stars before update of star on reviews for each row execute function reviews_refuse_change();
create trigger reviews_not_emptied before truncate on reviews for each statement execute function reviews_refuse_change();
