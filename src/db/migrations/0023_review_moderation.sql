-- compatible-since: 0022

-- The staff hides a review with a reason, and replies in public (docs/decisions/0057).
alter table reviews add column hidden_at timestamptz;
alter table reviews add column hidden_reason text check (char_length(hidden_reason) between 3 and 200);
alter table reviews add constraint reviews_hidden_with_reason check ((hidden_at is null) = (hidden_reason is null));
alter table reviews add column reply text check (char_length(reply) between 1 and 1000);
alter table reviews add column replied_at timestamptz;
alter table reviews add constraint reviews_reply_with_time check ((reply is null) = (replied_at is null));

create index reviews_shown on reviews (created_at desc, id desc) where hidden_at is null;
create index reviews_hidden on reviews (created_at desc, id desc) where hidden_at is not null;

-- The counts are those of the reviews that customers see.
create or replace function review_counts_add() returns trigger language plpgsql as $$
declare
  changed record;
begin
  for changed in select star, count(*) as number from added where hidden_at is null group by star order by star loop
    update review_counts set reviews = reviews + changed.number where star = changed.star;
  end loop;
  return null;
end $$;

create or replace function review_counts_remove() returns trigger language plpgsql as $$
declare
  changed record;
begin
  for changed in select star, count(*) as number from removed where hidden_at is null group by star order by star loop
    update review_counts set reviews = reviews - changed.number where star = changed.star;
  end loop;
  return null;
end $$;

create function review_counts_hide() returns trigger language plpgsql as $$
begin
  update review_counts set reviews = reviews + case when new.hidden_at is null then 1 else -1 end where star = new.star;
  return null;
end $$;
create trigger reviews_hidden_uncounted after update of hidden_at on reviews
  for each row when ((old.hidden_at is null) <> (new.hidden_at is null)) execute function review_counts_hide();
