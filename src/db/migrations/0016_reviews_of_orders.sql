-- The delivered order that the review is about. Null for a review of the laundry in general.
alter table reviews add column order_id text references orders (id);
create unique index one_review_of_an_order on reviews (order_id);
