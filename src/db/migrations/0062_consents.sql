-- compatible-since: 0061

-- The consents of customers and guests: the text, its language and the time. No personal data but
-- the customer, so that the rows stay after an erasure as proof. docs/decisions/0115.
create table consents (
  customer_id text not null references customers,
  -- 'account' at the sign-up, 'order' at the first order of a guest.
  purpose text not null,
  -- As shown, in this language.
  text text not null,
  language text not null,
  -- False if the request did not repeat the text, so that no page may have shown it.
  is_shown boolean not null,
  at timestamptz not null,
  primary key (customer_id, purpose, text, is_shown)
);
