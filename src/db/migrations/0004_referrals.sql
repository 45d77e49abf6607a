-- Referral bonuses: one for each new customer, never for a referral of oneself. The amount is an
-- entry of the ledger.
create table referral_bonuses (
  new_customer_id text primary key references customers (id),
  referrer_id text not null references customers (id),
  granted_at timestamptz not null,
  check (new_customer_id <> referrer_id)
);
create index referral_bonuses_of_referrer on referral_bonuses (referrer_id, granted_at);
