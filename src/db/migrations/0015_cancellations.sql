-- Cancelled orders (docs/decisions/0047). An order can be cancelled before it is weighed, so that a
-- cancelled order may have no weight.
alter table orders drop constraint orders_stage_check;
alter table orders add constraint orders_stage_check
  check (stage in ('pickup', 'queue', 'washing', 'delivery', 'delivered', 'cancelled'));
alter table orders drop constraint orders_check3;
alter table orders add constraint orders_weighed_check
  check (stage in ('pickup', 'cancelled') or (weight_grams is not null and items is not null));

alter table orders
  add column cancelled_at timestamptz,
  add column cancelled_by text check (cancelled_by in ('customer', 'laundry')),
  -- The stage that an undone cancellation returns to.
  add column cancelled_from text check (cancelled_from in ('pickup', 'queue')),
  -- Counts cancellations, also undone ones. Part of the ledger's reference of a refund.
  add column cancellations smallint not null default 0,
  add constraint orders_cancelled_check check (
    (stage = 'cancelled') = (cancelled_at is not null)
    and (cancelled_at is null) = (cancelled_by is null)
    and (cancelled_at is null) = (cancelled_from is null));
