-- The schema after all migrations, in its final form, to be read. `npm run db:types` writes it.
-- Nothing runs it: a change of the schema is a migration.

create domain mobile as text CHECK ((VALUE ~ '^[0-9]{10}$'::text));

create table addresses (
  id text not null,
  customer_id text not null,
  name text not null,
  mobile mobile not null,
  address1 text not null,
  address2 text not null,
  landmark text not null,
  pincode text not null,
  city text not null,
  state text not null,
  created_at timestamp with time zone not null,
  area text,
  constraint addresses_pkey PRIMARY KEY (id),
  constraint addresses_address1_check CHECK (((char_length(address1) >= 3) AND (char_length(address1) <= 200))),
  constraint addresses_address2_check CHECK (((char_length(address2) >= 3) AND (char_length(address2) <= 200))),
  constraint addresses_area_check CHECK ((area = ANY (ARRAY['manesar'::text, 'vatika'::text]))),
  constraint addresses_city_check CHECK ((city = 'Gurugram'::text)),
  constraint addresses_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id) ON DELETE CASCADE,
  constraint addresses_landmark_check CHECK (((char_length(landmark) >= 3) AND (char_length(landmark) <= 200))),
  constraint addresses_name_check CHECK (((char_length(name) >= 3) AND (char_length(name) <= 200))),
  constraint addresses_pincode_check CHECK ((pincode = '122052'::text)),
  constraint addresses_state_check CHECK ((state = 'Haryana'::text))
);
CREATE INDEX addresses_of_customer ON public.addresses USING btree (customer_id, created_at);

create table area_variations (
  program_id text not null,
  area text not null,
  surcharge_paise integer not null,
  constraint area_variations_pkey PRIMARY KEY (program_id, area),
  constraint area_variations_area_check CHECK ((area = ANY (ARRAY['manesar'::text, 'vatika'::text]))),
  constraint area_variations_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint area_variations_surcharge_paise_check CHECK (((surcharge_paise >= 0) AND (surcharge_paise <= 100000)))
);

create table bot_proofs (
  proof_hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint bot_proofs_pkey PRIMARY KEY (proof_hash)
);

create table cash_balances (
  staff_id text not null,
  held_paise bigint not null,
  constraint cash_balances_pkey PRIMARY KEY (staff_id),
  constraint cash_balances_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(id)
);

create table cash_handins (
  id text not null,
  holder_id text not null,
  counter_id text not null,
  expected_paise bigint not null,
  counted_paise bigint not null,
  handed_in_at timestamp with time zone not null,
  explanation text,
  explained_by text,
  reversed_paise bigint default 0 not null,
  kept_paise bigint default 0 not null,
  constraint cash_handins_pkey PRIMARY KEY (id),
  constraint cash_handins_check CHECK (((explanation IS NULL) = (explained_by IS NULL))),
  constraint cash_handins_counted_paise_check CHECK ((counted_paise >= 0)),
  constraint cash_handins_counter_id_fkey FOREIGN KEY (counter_id) REFERENCES staff_members(id),
  constraint cash_handins_explained_by_fkey FOREIGN KEY (explained_by) REFERENCES staff_members(id),
  constraint cash_handins_explanation_check CHECK (((char_length(explanation) >= 1) AND (char_length(explanation) <= 200))),
  constraint cash_handins_holder_id_fkey FOREIGN KEY (holder_id) REFERENCES staff_members(id),
  constraint cash_handins_kept_paise_check CHECK ((kept_paise >= 0)),
  constraint cash_handins_reversed_paise_check CHECK ((reversed_paise >= 0))
);
CREATE INDEX cash_handins_newest ON public.cash_handins USING btree (handed_in_at DESC, id DESC);
CREATE INDEX cash_handins_unexplained ON public.cash_handins USING btree (handed_in_at, id) WHERE ((counted_paise <> (expected_paise - reversed_paise)) AND (explanation IS NULL));

create table cash_movements (
  id bigint generated always as identity not null,
  staff_id text not null,
  kind text not null,
  amount_paise bigint not null,
  payment_tid text,
  handin_id text,
  at timestamp with time zone not null,
  constraint cash_movements_pkey PRIMARY KEY (id),
  constraint cash_movements_amount_paise_check CHECK ((amount_paise <> 0)),
  constraint cash_movements_check CHECK (((payment_tid IS NULL) <> (handin_id IS NULL))),
  constraint cash_movements_handin_id_fkey FOREIGN KEY (handin_id) REFERENCES cash_handins(id),
  constraint cash_movements_handin_id_kind_key UNIQUE (handin_id, kind),
  constraint cash_movements_kind_check CHECK ((kind = ANY (ARRAY['received'::text, 'reversed'::text, 'handed-in'::text, 'counted'::text]))),
  constraint cash_movements_payment_tid_fkey FOREIGN KEY (payment_tid) REFERENCES payments(tid),
  constraint cash_movements_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(id)
);
CREATE INDEX cash_movements_handed_in ON public.cash_movements USING btree (staff_id, id) WHERE (kind = 'handed-in'::text);
CREATE UNIQUE INDEX cash_movements_received ON public.cash_movements USING btree (payment_tid) WHERE (kind = 'received'::text);
CREATE UNIQUE INDEX cash_movements_reversed ON public.cash_movements USING btree (payment_tid, staff_id) WHERE (kind = 'reversed'::text);
CREATE TRIGGER cash_movements_balanced AFTER INSERT ON public.cash_movements FOR EACH ROW EXECUTE FUNCTION cash_movements_balance();

create table claim_messages (
  id bigint generated always as identity not null,
  claim_id text not null,
  author text not null,
  message text not null,
  written_at timestamp with time zone not null,
  constraint claim_messages_pkey PRIMARY KEY (id),
  constraint claim_messages_author_check CHECK ((author = ANY (ARRAY['customer'::text, 'staff'::text]))),
  constraint claim_messages_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES claims(id),
  constraint claim_messages_message_check CHECK (((char_length(message) >= 1) AND (char_length(message) <= 1000)))
);
CREATE INDEX claim_messages_of_claim ON public.claim_messages USING btree (claim_id, id);

create table claim_photos (
  id text not null,
  customer_id text not null,
  guest_session_hash bytea,
  type text not null,
  bytes integer not null,
  created_at timestamp with time zone not null,
  stored_at timestamp with time zone,
  claim_id text,
  position smallint,
  constraint claim_photos_pkey PRIMARY KEY (id),
  constraint claim_photos_bytes_check CHECK (((bytes >= 1) AND (bytes <= 5242880))),
  constraint claim_photos_check CHECK (((claim_id IS NULL) = ("position" IS NULL))),
  constraint claim_photos_check1 CHECK (((claim_id IS NULL) OR (stored_at IS NOT NULL))),
  constraint claim_photos_claim_id_fkey FOREIGN KEY (claim_id) REFERENCES claims(id),
  constraint claim_photos_claim_id_position_key UNIQUE (claim_id, "position"),
  constraint claim_photos_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint claim_photos_position_check CHECK ((("position" >= 1) AND ("position" <= 99))),
  constraint claim_photos_type_check CHECK ((type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'image/webp'::text])))
);
CREATE INDEX claim_photos_of_customer ON public.claim_photos USING btree (customer_id) INCLUDE (bytes);
CREATE INDEX claim_photos_unsent ON public.claim_photos USING btree (created_at) WHERE (claim_id IS NULL);

create table claims (
  id text not null,
  customer_id text not null,
  order_id text not null,
  kind text not null,
  status text default 'open'::text not null,
  request_key text not null,
  body_hash bytea not null,
  created_at timestamp with time zone not null,
  answer_by timestamp with time zone not null,
  settled_at timestamp with time zone,
  settled_paise bigint,
  assigned_to text,
  constraint claims_pkey PRIMARY KEY (id),
  constraint claims_assigned_to_fkey FOREIGN KEY (assigned_to) REFERENCES staff_members(id),
  constraint claims_check CHECK ((answer_by > created_at)),
  constraint claims_check2 CHECK (((settled_paise IS NULL) OR (settled_at IS NOT NULL))),
  constraint claims_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint claims_customer_id_request_key_key UNIQUE (customer_id, request_key),
  constraint claims_kind_check CHECK ((kind = ANY (ARRAY['damaged'::text, 'missing'::text, 'late'::text, 'amount'::text, 'other'::text]))),
  constraint claims_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint claims_request_key_check CHECK (((char_length(request_key) >= 8) AND (char_length(request_key) <= 64))),
  constraint claims_settled_at CHECK (((status <> 'settled'::text) OR (settled_at IS NOT NULL))),
  constraint claims_settled_paise_check CHECK ((settled_paise > 0)),
  constraint claims_status_check CHECK ((status = ANY (ARRAY['open'::text, 'answered'::text, 'settled'::text])))
);
CREATE INDEX claims_by_age ON public.claims USING btree (created_at);
CREATE INDEX claims_of_order ON public.claims USING btree (order_id, created_at DESC, id DESC);
CREATE INDEX claims_of_person ON public.claims USING btree (assigned_to, id) WHERE (assigned_to IS NOT NULL);
CREATE INDEX claims_settled ON public.claims USING btree (settled_at DESC, id DESC) WHERE (status = 'settled'::text);
CREATE INDEX claims_to_answer ON public.claims USING btree (answer_by, id) WHERE (status <> 'settled'::text);

create table consents (
  customer_id text not null,
  purpose text not null,
  text text not null,
  language text not null,
  is_shown boolean not null,
  at timestamp with time zone not null,
  constraint consents_pkey PRIMARY KEY (customer_id, purpose, text, is_shown),
  constraint consents_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table customers (
  id text not null,
  mobile mobile not null,
  name text,
  email text default ''::text not null,
  password_hash text,
  referred_by text,
  created_at timestamp with time zone not null,
  is_erased boolean default false not null,
  constraint customers_pkey PRIMARY KEY (id),
  constraint customers_check CHECK (((name IS NULL) = (password_hash IS NULL))),
  constraint customers_email_check CHECK ((char_length(email) <= 200)),
  constraint customers_mobile_key UNIQUE (mobile),
  constraint customers_name_check CHECK (((char_length(name) >= 2) AND (char_length(name) <= 200))),
  constraint customers_referred_by_fkey FOREIGN KEY (referred_by) REFERENCES customers(id)
);

create table daily_figures (
  day date not null,
  placed bigint not null,
  cancelled bigint not null,
  delivered bigint not null,
  on_time bigint not null,
  grams bigint not null,
  revenue_paise bigint not null,
  cash_paise bigint not null,
  upi_paise bigint not null,
  gateway_paise bigint not null,
  wallet_paise bigint not null,
  liability_paise bigint not null,
  bonus_paise bigint not null,
  claimed bigint not null,
  compensation_paise bigint,
  constraint daily_figures_pkey PRIMARY KEY (day)
);

create table deleted_photos (
  id text not null,
  delete_at timestamp with time zone not null,
  constraint deleted_photos_pkey PRIMARY KEY (id)
);
CREATE INDEX deleted_photos_due ON public.deleted_photos USING btree (delete_at, id);

create table erased_numbers (
  number_hash bytea not null,
  erased_at timestamp with time zone not null,
  constraint erased_numbers_pkey PRIMARY KEY (number_hash)
);

create table error_reports (
  id bigint generated always as identity not null,
  message text not null,
  report text not null,
  reported_at timestamp with time zone not null,
  constraint error_reports_pkey PRIMARY KEY (id),
  constraint error_reports_message_check CHECK ((char_length(message) <= 1000)),
  constraint error_reports_report_check CHECK ((octet_length(report) <= 8192))
);
CREATE INDEX error_reports_by_age ON public.error_reports USING btree (reported_at);

create table evening_bookings (
  area text not null,
  day date not null,
  booked integer not null,
  constraint evening_bookings_pkey PRIMARY KEY (area, day),
  constraint evening_bookings_area_fkey FOREIGN KEY (area) REFERENCES evening_plans(area),
  constraint evening_bookings_booked_check CHECK ((booked >= 0))
);

create table evening_exceptions (
  area text not null,
  day date not null,
  capacity smallint,
  constraint evening_exceptions_pkey PRIMARY KEY (area, day),
  constraint evening_exceptions_area_fkey FOREIGN KEY (area) REFERENCES evening_plans(area),
  constraint evening_exceptions_capacity_check CHECK (((capacity >= 0) AND (capacity <= 1000)))
);

create table evening_plans (
  area text not null,
  cut_off text default '16:00'::text not null,
  capacity smallint,
  closed_weekdays smallint[] default '{}'::smallint[] not null,
  version integer default 0 not null,
  constraint evening_plans_pkey PRIMARY KEY (area),
  constraint evening_plans_area_check CHECK ((area = ANY (ARRAY['manesar'::text, 'vatika'::text]))),
  constraint evening_plans_capacity_check CHECK (((capacity >= 1) AND (capacity <= 1000))),
  constraint evening_plans_closed_weekdays_check CHECK ((closed_weekdays <@ '{1,2,3,4,5,6,7}'::smallint[])),
  constraint evening_plans_cut_off_check CHECK ((cut_off ~ '^([01]\d|2[0-3]):[0-5]\d$'::text))
);

create table figures_progress (
  one boolean default true not null,
  until timestamp with time zone not null,
  constraint figures_progress_pkey PRIMARY KEY (one),
  constraint figures_progress_one_check CHECK (one)
);

create table idempotency_keys (
  customer_id text not null,
  key text not null,
  body_hash bytea not null,
  order_id text not null,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (customer_id, key),
  constraint idempotency_keys_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint idempotency_keys_key_check CHECK (((char_length(key) >= 8) AND (char_length(key) <= 64))),
  constraint idempotency_keys_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);
CREATE INDEX order_keys_that_expire ON public.idempotency_keys USING btree (created_at) WHERE (key ~~ 'same:%'::text);

create table job_runs (
  job text not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  duration_ms integer,
  outcome text,
  error text,
  progress smallint default 0 not null,
  succeeded_at timestamp with time zone,
  unbalanced_at timestamp with time zone,
  mark xid8,
  constraint job_runs_pkey PRIMARY KEY (job),
  constraint job_runs_check CHECK (((ended_at IS NULL) = (outcome IS NULL))),
  constraint job_runs_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'failed'::text, 'unbalanced'::text])))
);

create table known_devices (
  device_hash bytea not null,
  mobile mobile not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  kind text default 'customer'::text not null,
  constraint known_devices_pkey PRIMARY KEY (device_hash),
  constraint known_devices_kind_check CHECK ((kind = ANY (ARRAY['customer'::text, 'staff'::text])))
);
CREATE INDEX known_devices_by_expiry ON public.known_devices USING btree (expires_at);
CREATE INDEX known_devices_of_mobile ON public.known_devices USING btree (mobile);

create table ledger_accounts (
  id text not null,
  customer_id text,
  balance_paise bigint default 0 not null,
  constraint ledger_accounts_pkey PRIMARY KEY (id),
  constraint ledger_accounts_check CHECK ((id = COALESCE(('wallet:'::text || customer_id), id))),
  constraint ledger_accounts_check1 CHECK (((customer_id IS NOT NULL) OR (balance_paise = 0))),
  constraint ledger_accounts_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint ledger_accounts_customer_id_key UNIQUE (customer_id),
  constraint wallet_never_negative CHECK ((balance_paise >= 0))
);
CREATE TRIGGER ledger_accounts_guarded BEFORE INSERT OR UPDATE ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION ledger_guard_account();
CREATE TRIGGER ledger_accounts_not_emptied BEFORE TRUNCATE ON public.ledger_accounts FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();
CREATE TRIGGER ledger_accounts_not_removed BEFORE DELETE ON public.ledger_accounts FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();

create table ledger_entries (
  id text not null,
  kind text not null,
  reason text not null,
  reference text not null,
  order_id text,
  created_at timestamp with time zone not null,
  reverses text,
  xid xid8 default pg_current_xact_id(),
  constraint ledger_entries_pkey PRIMARY KEY (id),
  constraint ledger_entries_balanced TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint ledger_entries_check CHECK (((kind <> 'paid'::text) OR (order_id IS NOT NULL))),
  constraint ledger_entries_kind_check CHECK ((kind = ANY (ARRAY['promotion'::text, 'compensation'::text, 'change'::text, 'cashback'::text, 'paid'::text, 'payout'::text]))),
  constraint ledger_entries_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint ledger_entries_reason_check CHECK (((char_length(reason) >= 3) AND (char_length(reason) <= 200))),
  constraint ledger_entries_reference_check CHECK (((char_length(reference) >= 3) AND (char_length(reference) <= 200))),
  constraint ledger_entries_reference_key UNIQUE (reference),
  constraint ledger_entries_reverses_fkey FOREIGN KEY (reverses) REFERENCES ledger_entries(id),
  constraint ledger_entries_reverses_key UNIQUE (reverses)
);
CREATE INDEX change_of_order ON public.ledger_entries USING btree (order_id) WHERE (kind = 'change'::text);
CREATE INDEX ledger_entries_by_xid ON public.ledger_entries USING btree (xid) WHERE (xid IS NOT NULL);
CREATE UNIQUE INDEX one_wallet_payment_per_order ON public.ledger_entries USING btree (order_id) WHERE (kind = 'paid'::text);
CREATE TRIGGER ledger_entries_append_only BEFORE DELETE OR UPDATE ON public.ledger_entries FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();
CREATE CONSTRAINT TRIGGER ledger_entries_balanced AFTER INSERT ON public.ledger_entries DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_check_entry('id');
CREATE TRIGGER ledger_entries_not_emptied BEFORE TRUNCATE ON public.ledger_entries FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create table ledger_postings (
  entry_id text not null,
  account_id text not null,
  amount_paise bigint not null,
  created_at timestamp with time zone not null,
  constraint ledger_postings_pkey PRIMARY KEY (entry_id, account_id),
  constraint ledger_postings_account_id_fkey FOREIGN KEY (account_id) REFERENCES ledger_accounts(id),
  constraint ledger_postings_amount_paise_check CHECK ((amount_paise <> 0)),
  constraint ledger_postings_balanced TRIGGER DEFERRABLE INITIALLY DEFERRED,
  constraint ledger_postings_entry_id_fkey FOREIGN KEY (entry_id) REFERENCES ledger_entries(id)
);
CREATE INDEX ledger_postings_of_account ON public.ledger_postings USING btree (account_id, created_at DESC, entry_id DESC);
CREATE TRIGGER ledger_postings_append_only BEFORE DELETE OR UPDATE ON public.ledger_postings FOR EACH ROW EXECUTE FUNCTION ledger_refuse_change();
CREATE CONSTRAINT TRIGGER ledger_postings_balanced AFTER INSERT ON public.ledger_postings DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_check_entry('entry_id');
CREATE TRIGGER ledger_postings_figures_reopened AFTER INSERT ON public.ledger_postings FOR EACH ROW EXECUTE FUNCTION ledger_postings_reopen_figures();
CREATE TRIGGER ledger_postings_move_balance AFTER INSERT ON public.ledger_postings FOR EACH ROW EXECUTE FUNCTION ledger_move_balance();
CREATE TRIGGER ledger_postings_not_emptied BEFORE TRUNCATE ON public.ledger_postings FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change();

create unlogged table limit_windows (
  name text not null,
  subject_hash bytea not null,
  window_start timestamp with time zone not null,
  taken integer not null,
  constraint limit_windows_pkey PRIMARY KEY (name, subject_hash, window_start)
);
CREATE INDEX limit_windows_by_age ON public.limit_windows USING btree (window_start);

create table live_use (
  is_only_row boolean default true not null,
  since timestamp with time zone not null,
  constraint live_use_pkey PRIMARY KEY (is_only_row),
  constraint live_use_is_only_row_check CHECK (is_only_row)
);

create unlogged table login_waits (
  subject_hash bytea not null,
  wrong integer not null,
  next_try_at timestamp with time zone not null,
  constraint login_waits_pkey PRIMARY KEY (subject_hash)
);

create table notification_settings (
  customer_id text not null,
  muted text[] not null,
  constraint notification_settings_pkey PRIMARY KEY (customer_id),
  constraint notification_settings_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id)
);

create table notifications (
  event_id bigint not null,
  state text default 'waiting'::text not null,
  due_at timestamp with time zone not null,
  attempts smallint default 0 not null,
  changed_at timestamp with time zone not null,
  text text default ''::text not null,
  failure text,
  error text,
  constraint notifications_pkey PRIMARY KEY (event_id),
  constraint notifications_event_id_fkey FOREIGN KEY (event_id) REFERENCES order_events(id),
  constraint notifications_failure_check CHECK ((failure = ANY (ARRAY['not-accepted'::text, 'rejected'::text, 'unknown'::text, 'too-late'::text, 'too-many'::text]))),
  constraint notifications_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'withdrawn'::text])))
);
CREATE INDEX notifications_by_age ON public.notifications USING btree (changed_at);
CREATE INDEX notifications_due ON public.notifications USING btree (due_at, event_id) WHERE (state = 'waiting'::text);
CREATE INDEX notifications_with_failure ON public.notifications USING btree (event_id) WHERE (failure IS NOT NULL);

create table offers (
  id text not null,
  customer_id text not null,
  percent smallint not null,
  valid_days smallint not null,
  starts_at timestamp with time zone not null,
  reason text not null,
  granted_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint offers_pkey PRIMARY KEY (id),
  constraint offers_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint offers_percent_check CHECK (((percent >= 1) AND (percent <= 100))),
  constraint offers_reason_check CHECK (((char_length(reason) >= 3) AND (char_length(reason) <= 200))),
  constraint offers_starts_at_check CHECK ((starts_at = date_trunc('second'::text, starts_at))),
  constraint offers_valid_days_check CHECK (((valid_days >= 1) AND (valid_days <= 3650)))
);
CREATE INDEX offers_of_customer ON public.offers USING btree (customer_id, starts_at DESC, id DESC);

create table order_event_authors (
  event_id bigint not null,
  staff_id text not null,
  device_at timestamp with time zone,
  note text,
  bags smallint,
  constraint order_event_authors_pkey PRIMARY KEY (event_id),
  constraint order_event_authors_bags_check CHECK (((bags >= 0) AND (bags <= 99))),
  constraint order_event_authors_event_id_fkey FOREIGN KEY (event_id) REFERENCES order_events(id),
  constraint order_event_authors_note_check CHECK (((char_length(note) >= 1) AND (char_length(note) <= 500))),
  constraint order_event_authors_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(id)
);

create table order_events (
  id bigint generated always as identity not null,
  order_id text not null,
  kind text not null,
  stage text,
  data jsonb default '{}'::jsonb not null,
  at timestamp with time zone not null,
  xid xid8 default pg_current_xact_id(),
  constraint order_events_pkey PRIMARY KEY (id),
  constraint order_events_data_check CHECK ((jsonb_typeof(data) = 'object'::text)),
  constraint order_events_kind_check CHECK ((kind ~ '^[a-z]+(-[a-z]+)*$'::text)),
  constraint order_events_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);
CREATE INDEX order_events_by_time ON public.order_events USING btree (at);
CREATE INDEX order_events_by_xid ON public.order_events USING btree (xid) WHERE (xid IS NOT NULL);
CREATE INDEX order_events_of_order ON public.order_events USING btree (order_id, id);
CREATE TRIGGER order_events_change_unpaid AFTER INSERT ON public.order_events FOR EACH ROW WHEN ((new.kind = ANY (ARRAY['moved'::text, 'moved-back'::text, 'paid'::text, 'payment-reversed'::text]))) EXECUTE FUNCTION order_events_set_unpaid();
CREATE TRIGGER order_events_figures_reopened AFTER INSERT ON public.order_events FOR EACH ROW EXECUTE FUNCTION order_events_reopen_figures();
CREATE TRIGGER order_events_notified AFTER INSERT ON public.order_events FOR EACH ROW WHEN ((new.kind <> 'placed'::text)) EXECUTE FUNCTION order_events_notify();
CREATE TRIGGER order_events_queued AFTER INSERT ON public.order_events FOR EACH ROW WHEN (((new.kind = ANY (ARRAY['placed'::text, 'weighed'::text, 'cancelled'::text, 'refunded'::text, 'rescheduled'::text, 'attempted'::text, 'delivery-chosen'::text, 'paid'::text, 'payment-reversed'::text, 'payment-dismissed'::text])) OR ((new.kind = 'moved'::text) AND (new.stage = ANY (ARRAY['delivery'::text, 'delivered'::text]))) OR ((new.kind = 'claim-message'::text) AND ((new.data ->> 'by'::text) = 'laundry'::text)))) EXECUTE FUNCTION order_events_queue_notification();

create table order_handling (
  order_id text not null,
  rider_id text,
  bags smallint,
  wrong_codes smallint default 0 not null,
  constraint order_handling_pkey PRIMARY KEY (order_id),
  constraint order_handling_bags_check CHECK (((bags >= 1) AND (bags <= 99))),
  constraint order_handling_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint order_handling_rider_id_fkey FOREIGN KEY (rider_id) REFERENCES staff_members(id)
);

create table order_photos (
  id text not null,
  order_id text not null,
  staff_id text not null,
  kind text not null,
  request_key text not null,
  type text not null,
  bytes integer not null,
  created_at timestamp with time zone not null,
  stored_at timestamp with time zone,
  device_at timestamp with time zone,
  constraint order_photos_pkey PRIMARY KEY (id),
  constraint order_photos_bytes_check CHECK (((bytes >= 1) AND (bytes <= 5242880))),
  constraint order_photos_kind_check CHECK ((kind = ANY (ARRAY['weigh'::text, 'damage'::text, 'hand-over'::text]))),
  constraint order_photos_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint order_photos_request_key_check CHECK (((char_length(request_key) >= 8) AND (char_length(request_key) <= 64))),
  constraint order_photos_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(id),
  constraint order_photos_staff_id_request_key_key UNIQUE (staff_id, request_key),
  constraint order_photos_type_check CHECK ((type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'image/webp'::text])))
);
CREATE INDEX order_photos_incomplete ON public.order_photos USING btree (created_at) WHERE (stored_at IS NULL);
CREATE INDEX order_photos_of_order ON public.order_photos USING btree (order_id, created_at, id);

create table order_stages (
  order_id text not null,
  stage text not null,
  entered_at timestamp with time zone not null,
  constraint order_stages_pkey PRIMARY KEY (order_id, stage),
  constraint order_stages_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint order_stages_stage_check CHECK ((stage = ANY (ARRAY['pickup'::text, 'queue'::text, 'washing'::text, 'delivery'::text, 'delivered'::text])))
);
CREATE TRIGGER order_stages_copied AFTER INSERT ON public.order_stages FOR EACH ROW EXECUTE FUNCTION order_stages_to_events();

create table orders (
  id text not null,
  customer_id text not null,
  guest_session_hash bytea,
  program_id text not null,
  program_name text not null,
  unit text not null,
  area text not null,
  base_rate_paise integer not null,
  surcharge_paise integer not null,
  rate_paise integer not null,
  offer_id text,
  offer_percent smallint default 0 not null,
  order_rate_paise integer not null,
  timeslot text not null,
  pickup_day date not null,
  detergent text not null,
  conditioner text not null,
  iron text not null,
  stage text not null,
  weight_grams integer,
  items smallint,
  ship_name text not null,
  ship_mobile mobile not null,
  ship_address1 text not null,
  ship_address2 text not null,
  ship_landmark text not null,
  ship_pincode text not null,
  ship_city text not null,
  ship_state text not null,
  placed_at timestamp with time zone not null,
  cancelled_at timestamp with time zone,
  cancelled_by text,
  cancelled_from text,
  cancellations smallint default 0 not null,
  is_unpaid boolean default false not null,
  returned_at timestamp with time zone,
  return_day date,
  constraint orders_pkey PRIMARY KEY (id),
  constraint orders_area_check CHECK ((area = ANY (ARRAY['manesar'::text, 'vatika'::text]))),
  constraint orders_base_rate_paise_check CHECK ((base_rate_paise > 0)),
  constraint orders_cancelled_by_check CHECK ((cancelled_by = ANY (ARRAY['customer'::text, 'laundry'::text]))),
  constraint orders_cancelled_check CHECK ((((stage = 'cancelled'::text) = (cancelled_at IS NOT NULL)) AND ((cancelled_at IS NULL) = (cancelled_by IS NULL)) AND ((cancelled_at IS NULL) = (cancelled_from IS NULL)))),
  constraint orders_cancelled_from_check CHECK ((cancelled_from = ANY (ARRAY['pickup'::text, 'queue'::text]))),
  constraint orders_check CHECK ((rate_paise = (base_rate_paise + surcharge_paise))),
  constraint orders_check1 CHECK (((order_rate_paise >= 0) AND (order_rate_paise <= rate_paise))),
  constraint orders_check2 CHECK (((offer_id IS NULL) = (offer_percent = 0))),
  constraint orders_conditioner_check CHECK ((conditioner = ANY (ARRAY[''::text, 'softtouch'::text]))),
  constraint orders_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint orders_detergent_check CHECK ((detergent = ANY (ARRAY[''::text, 'surfexcel'::text]))),
  constraint orders_iron_check CHECK ((iron = ANY (ARRAY[''::text, 'steam'::text]))),
  constraint orders_items_check CHECK (((items >= 1) AND (items <= 10000))),
  constraint orders_offer_percent_check CHECK (((offer_percent >= 0) AND (offer_percent <= 100))),
  constraint orders_program_id_fkey FOREIGN KEY (program_id) REFERENCES programs(id),
  constraint orders_stage_check CHECK ((stage = ANY (ARRAY['pickup'::text, 'queue'::text, 'washing'::text, 'delivery'::text, 'delivered'::text, 'cancelled'::text]))),
  constraint orders_surcharge_paise_check CHECK ((surcharge_paise >= 0)),
  constraint orders_weighed_check CHECK (((stage = ANY (ARRAY['pickup'::text, 'cancelled'::text])) OR ((weight_grams IS NOT NULL) AND (items IS NOT NULL)))),
  constraint orders_weight_grams_check CHECK (((weight_grams >= 1) AND (weight_grams <= 1000000)))
);
CREATE INDEX orders_by_evening ON public.orders USING btree (pickup_day, placed_at, id);
CREATE INDEX orders_by_evening_of_area ON public.orders USING btree (area, stage, pickup_day, placed_at, id);
CREATE INDEX orders_by_evening_of_stage ON public.orders USING btree (stage, pickup_day, placed_at, id);
CREATE INDEX orders_by_period_and_word ON public.orders USING gin (words_in_period(ship_name, pickup_day));
CREATE INDEX orders_by_ship_mobile ON public.orders USING btree (((ship_mobile)::text) text_pattern_ops);
CREATE INDEX orders_by_ship_name ON public.orders USING gin (to_tsvector('simple'::regconfig, ship_name));
CREATE INDEX orders_delivered_by_evening ON public.orders USING btree (pickup_day, placed_at, id) WHERE (stage = 'delivered'::text);
CREATE INDEX orders_of_customer ON public.orders USING btree (customer_id, placed_at DESC, id DESC);
CREATE INDEX orders_of_guest ON public.orders USING btree (guest_session_hash) WHERE (guest_session_hash IS NOT NULL);
CREATE INDEX orders_open ON public.orders USING btree (placed_at, id) WHERE ((stage <> ALL (ARRAY['delivered'::text, 'cancelled'::text])) OR ((stage = 'cancelled'::text) AND (weight_grams IS NOT NULL) AND (returned_at IS NULL)));
CREATE INDEX orders_to_return_by_evening ON public.orders USING btree (pickup_day, placed_at, id) WHERE ((stage = 'cancelled'::text) AND (weight_grams IS NOT NULL) AND (returned_at IS NULL));
CREATE INDEX orders_unpaid_by_evening ON public.orders USING btree (pickup_day, placed_at, id) WHERE is_unpaid;
CREATE TRIGGER orders_of_another_day BEFORE UPDATE OF pickup_day, cancelled_at ON public.orders FOR EACH ROW WHEN (((new.pickup_day <> old.pickup_day) OR (new.cancelled_at IS DISTINCT FROM old.cancelled_at))) EXECUTE FUNCTION orders_set_return_day();
CREATE TRIGGER orders_without_return_day BEFORE INSERT ON public.orders FOR EACH ROW WHEN ((new.return_day IS NULL)) EXECUTE FUNCTION orders_set_return_day();

create table outbox_messages (
  id bigint generated always as identity not null,
  browser_hash bytea not null,
  mobile mobile not null,
  text text not null,
  code text,
  state text default 'waiting'::text not null,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  failure text,
  error text,
  constraint outbox_messages_pkey PRIMARY KEY (id),
  constraint outbox_messages_failure_check CHECK ((failure = ANY (ARRAY['not-accepted'::text, 'rejected'::text, 'unknown'::text]))),
  constraint outbox_messages_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'sent'::text, 'failed'::text, 'withdrawn'::text])))
);
CREATE INDEX outbox_messages_of_mobile ON public.outbox_messages USING btree (mobile, id);
CREATE INDEX outbox_messages_unfinished ON public.outbox_messages USING btree (created_at) WHERE (state = ANY (ARRAY['waiting'::text, 'sending'::text]));

create table payment_events (
  gateway text not null,
  event_id text not null,
  event text not null,
  tid text,
  received_at timestamp with time zone not null,
  constraint payment_events_pkey PRIMARY KEY (gateway, event_id),
  constraint payment_events_event_check CHECK ((char_length(event) <= 100)),
  constraint payment_events_event_id_check CHECK (((char_length(event_id) >= 1) AND (char_length(event_id) <= 100))),
  constraint payment_events_tid_fkey FOREIGN KEY (tid) REFERENCES payments(tid)
);
CREATE INDEX payment_events_by_age ON public.payment_events USING btree (received_at);

create table payment_reversals (
  tid text not null,
  reason text not null,
  reversed_at timestamp with time zone not null,
  constraint payment_reversals_pkey PRIMARY KEY (tid),
  constraint payment_reversals_reason_check CHECK (((char_length(reason) >= 3) AND (char_length(reason) <= 200))),
  constraint payment_reversals_tid_fkey FOREIGN KEY (tid) REFERENCES payments(tid)
);
CREATE INDEX payment_reversals_by_time ON public.payment_reversals USING btree (reversed_at);
CREATE TRIGGER payment_reversals_append_only BEFORE DELETE OR UPDATE ON public.payment_reversals FOR EACH ROW EXECUTE FUNCTION payment_reversals_refuse_change();
CREATE TRIGGER payment_reversals_checked BEFORE INSERT ON public.payment_reversals FOR EACH ROW EXECUTE FUNCTION payment_reversals_check();
CREATE TRIGGER payment_reversals_not_emptied BEFORE TRUNCATE ON public.payment_reversals FOR EACH STATEMENT EXECUTE FUNCTION payment_reversals_refuse_change();

create table payments (
  tid text not null,
  order_id text not null,
  method text not null,
  state text not null,
  amount_paise bigint not null,
  due_paise bigint not null,
  reference text not null,
  gateway text,
  gateway_id text,
  gateway_url text,
  transaction_id text,
  asked_at timestamp with time zone,
  created_at timestamp with time zone not null,
  settled_at timestamp with time zone,
  note text,
  reported_at timestamp with time zone,
  constraint payments_pkey PRIMARY KEY (tid),
  constraint payments_amount_paise_check CHECK ((amount_paise > 0)),
  constraint payments_check CHECK (((method = 'gateway'::text) = (gateway IS NOT NULL))),
  constraint payments_check1 CHECK (((gateway_id IS NULL) = (gateway_url IS NULL))),
  constraint payments_check2 CHECK (((state = 'pending'::text) = (settled_at IS NULL))),
  constraint payments_check3 CHECK (((state = 'received'::text) = (transaction_id IS NOT NULL))),
  constraint payments_due_paise_check CHECK ((due_paise >= 0)),
  constraint payments_gateway_check CHECK ((gateway = ANY (ARRAY['sandbox'::text, 'razorpay'::text]))),
  constraint payments_method_check CHECK ((method = ANY (ARRAY['wallet'::text, 'cash'::text, 'upi'::text, 'gateway'::text]))),
  constraint payments_note_check CHECK (((char_length(note) >= 1) AND (char_length(note) <= 200))),
  constraint payments_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint payments_reference_check CHECK (((char_length(reference) >= 8) AND (char_length(reference) <= 35))),
  constraint payments_reference_key UNIQUE (reference),
  constraint payments_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'failed'::text, 'received'::text]))),
  constraint payments_tid_check CHECK ((tid ~ '^[A-Za-z0-9_-]{22}$'::text))
);
CREATE INDEX payments_by_time ON public.payments USING btree (settled_at) WHERE (state = 'received'::text);
CREATE INDEX payments_failed ON public.payments USING btree (settled_at) WHERE (state = 'failed'::text);
CREATE INDEX payments_of_order ON public.payments USING btree (order_id);
CREATE INDEX payments_pending ON public.payments USING btree (created_at) WHERE (state = 'pending'::text);
CREATE UNIQUE INDEX one_pending_payment ON public.payments USING btree (order_id, method, COALESCE(gateway, ''::text), amount_paise) WHERE (state = 'pending'::text);
CREATE UNIQUE INDEX one_wallet_payment ON public.payments USING btree (order_id) WHERE (method = 'wallet'::text);
CREATE UNIQUE INDEX payments_by_gateway_id ON public.payments USING btree (gateway, gateway_id);
CREATE TRIGGER payments_guarded BEFORE UPDATE ON public.payments FOR EACH ROW EXECUTE FUNCTION payments_guard_change();
CREATE TRIGGER payments_in_turn BEFORE INSERT OR UPDATE OF state ON public.payments FOR EACH ROW WHEN ((new.state = 'received'::text)) EXECUTE FUNCTION payments_take_turn();
CREATE TRIGGER payments_not_emptied BEFORE TRUNCATE ON public.payments FOR EACH STATEMENT EXECUTE FUNCTION payments_refuse_removal();
CREATE TRIGGER payments_not_removed BEFORE DELETE ON public.payments FOR EACH ROW EXECUTE FUNCTION payments_refuse_removal();

create table programs (
  id text not null,
  name text not null,
  rate_paise integer not null,
  unit text not null,
  description text not null,
  position smallint not null,
  constraint programs_pkey PRIMARY KEY (id),
  constraint programs_name_key UNIQUE (name),
  constraint programs_position_key UNIQUE ("position"),
  constraint programs_rate_paise_check CHECK (((rate_paise >= 100) AND (rate_paise <= 1000000))),
  constraint programs_unit_check CHECK (((char_length(unit) >= 1) AND (char_length(unit) <= 20)))
);

create table referral_bonuses (
  new_customer_id text not null,
  referrer_id text not null,
  granted_at timestamp with time zone not null,
  constraint referral_bonuses_pkey PRIMARY KEY (new_customer_id),
  constraint referral_bonuses_check CHECK ((new_customer_id <> referrer_id)),
  constraint referral_bonuses_new_customer_id_fkey FOREIGN KEY (new_customer_id) REFERENCES customers(id),
  constraint referral_bonuses_referrer_id_fkey FOREIGN KEY (referrer_id) REFERENCES customers(id)
);
CREATE INDEX referral_bonuses_of_referrer ON public.referral_bonuses USING btree (referrer_id, granted_at);

create table reset_handles (
  handle text not null,
  mobile mobile not null,
  expires_at timestamp with time zone not null,
  constraint reset_handles_pkey PRIMARY KEY (handle)
);

create table review_counts (
  star smallint not null,
  reviews integer not null,
  constraint review_counts_pkey PRIMARY KEY (star),
  constraint review_counts_reviews_check CHECK ((reviews >= 0)),
  constraint review_counts_star_check CHECK (((star >= 1) AND (star <= 5)))
);

create table reviews (
  id text not null,
  customer_id text not null,
  star smallint not null,
  message text not null,
  sample boolean default false not null,
  created_at timestamp with time zone not null,
  order_id text,
  hidden_at timestamp with time zone,
  hidden_reason text,
  reply text,
  replied_at timestamp with time zone,
  withdrawn_at timestamp with time zone,
  constraint reviews_pkey PRIMARY KEY (id),
  constraint reviews_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id),
  constraint reviews_hidden_reason_check CHECK (((char_length(hidden_reason) >= 3) AND (char_length(hidden_reason) <= 200))),
  constraint reviews_hidden_with_reason CHECK (((hidden_at IS NULL) = (hidden_reason IS NULL))),
  constraint reviews_message_check CHECK (((char_length(message) >= 1) AND (char_length(message) <= 1000))),
  constraint reviews_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id),
  constraint reviews_reply_check CHECK (((char_length(reply) >= 1) AND (char_length(reply) <= 1000))),
  constraint reviews_reply_with_time CHECK (((reply IS NULL) = (replied_at IS NULL))),
  constraint reviews_star_check CHECK (((star >= 1) AND (star <= 5)))
);
CREATE INDEX reviews_best ON public.reviews USING btree (created_at DESC, id DESC) WHERE (star >= 4);
CREATE INDEX reviews_hidden ON public.reviews USING btree (created_at DESC, id DESC) WHERE (hidden_at IS NOT NULL);
CREATE INDEX reviews_newest ON public.reviews USING btree (created_at DESC, id DESC);
CREATE INDEX reviews_of_customer ON public.reviews USING btree (customer_id, created_at);
CREATE INDEX reviews_shown ON public.reviews USING btree (created_at DESC, id DESC) WHERE (hidden_at IS NULL);
CREATE UNIQUE INDEX one_review_of_an_order ON public.reviews USING btree (order_id);
CREATE TRIGGER reviews_counted AFTER INSERT ON public.reviews REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION review_counts_add();
CREATE TRIGGER reviews_hidden_uncounted AFTER UPDATE OF hidden_at ON public.reviews FOR EACH ROW WHEN (((old.hidden_at IS NULL) <> (new.hidden_at IS NULL))) EXECUTE FUNCTION review_counts_hide();
CREATE TRIGGER reviews_keep_stars BEFORE UPDATE OF star ON public.reviews FOR EACH ROW EXECUTE FUNCTION reviews_refuse_change();
CREATE TRIGGER reviews_not_emptied BEFORE TRUNCATE ON public.reviews FOR EACH STATEMENT EXECUTE FUNCTION reviews_refuse_change();
CREATE TRIGGER reviews_uncounted AFTER DELETE ON public.reviews REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION review_counts_remove();

create table sandbox_payments (
  id text not null,
  reference text not null,
  amount_paise bigint not null,
  return_path text not null,
  outcome text default 'open'::text not null,
  paid_at timestamp with time zone,
  constraint sandbox_payments_pkey PRIMARY KEY (id),
  constraint sandbox_payments_amount_paise_check CHECK ((amount_paise > 0)),
  constraint sandbox_payments_check CHECK (((outcome = 'paid'::text) = (paid_at IS NOT NULL))),
  constraint sandbox_payments_outcome_check CHECK ((outcome = ANY (ARRAY['open'::text, 'paid'::text, 'failed'::text]))),
  constraint sandbox_payments_reference_key UNIQUE (reference)
);

create table sessions (
  token_hash bytea not null,
  customer_id text not null,
  kind text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sessions_pkey PRIMARY KEY (token_hash),
  constraint sessions_customer_id_fkey FOREIGN KEY (customer_id) REFERENCES customers(id) ON DELETE CASCADE,
  constraint sessions_kind_check CHECK ((kind = ANY (ARRAY['customer'::text, 'guest'::text])))
);
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_of_customer ON public.sessions USING btree (customer_id);

create table staff_answers (
  staff_id text not null,
  key text not null,
  request_hash bytea not null,
  answer jsonb,
  created_at timestamp with time zone not null,
  is_done boolean,
  constraint staff_answers_pkey PRIMARY KEY (staff_id, key),
  constraint staff_answers_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(id)
);
CREATE INDEX staff_answers_by_age ON public.staff_answers USING btree (created_at);
CREATE INDEX staff_answers_to_forget ON public.staff_answers USING btree (created_at) WHERE (answer IS NOT NULL);

create table staff_audit (
  id bigint generated always as identity not null,
  at timestamp with time zone not null,
  staff_id text,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  command_user text,
  constraint staff_audit_pkey PRIMARY KEY (id),
  constraint staff_audit_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(id)
);
CREATE INDEX staff_audit_by_time ON public.staff_audit USING btree (at, id);
CREATE INDEX staff_audit_of_action ON public.staff_audit USING btree (action, id);
CREATE INDEX staff_audit_of_member ON public.staff_audit USING btree (staff_id, id);
CREATE INDEX staff_audit_of_member_by_time ON public.staff_audit USING btree (staff_id, at);
CREATE INDEX staff_audit_of_subject ON public.staff_audit USING btree (subject_id, id);
CREATE TRIGGER staff_audit_copies_credit AFTER INSERT ON public.staff_audit FOR EACH ROW WHEN (((new.staff_id IS NOT NULL) AND (new.action = ANY (ARRAY['settle-claim'::text, 'grant-credit'::text, 'receive-payment'::text, 'weigh-order'::text, 'cancel-order'::text])))) EXECUTE FUNCTION staff_audit_copy_credit();

create table staff_credits (
  audit_id bigint not null,
  staff_id text not null,
  at timestamp with time zone not null,
  amount_paise bigint not null,
  constraint staff_credits_pkey PRIMARY KEY (audit_id),
  constraint staff_credits_amount_paise_check CHECK ((amount_paise > 0)),
  constraint staff_credits_audit_id_fkey FOREIGN KEY (audit_id) REFERENCES staff_audit(id),
  constraint staff_credits_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(id)
);
CREATE INDEX staff_credits_of_member ON public.staff_credits USING btree (staff_id, at);

create table staff_members (
  id text not null,
  mobile mobile not null,
  name text not null,
  role text not null,
  password_hash text,
  link_hash bytea,
  link_expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  constraint staff_members_pkey PRIMARY KEY (id),
  constraint staff_members_check CHECK (((link_hash IS NULL) = (link_expires_at IS NULL))),
  constraint staff_members_check1 CHECK (((removed_at IS NULL) OR (link_hash IS NULL))),
  constraint staff_members_link_hash_key UNIQUE (link_hash),
  constraint staff_members_name_check CHECK (((char_length(name) >= 2) AND (char_length(name) <= 200))),
  constraint staff_members_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'operator'::text, 'rider'::text])))
);
CREATE UNIQUE INDEX staff_members_by_mobile ON public.staff_members USING btree (mobile) WHERE (removed_at IS NULL);

create table staff_passkey_steps (
  token_hash bytea not null,
  staff_id text not null,
  purpose text not null,
  challenge text,
  expires_at timestamp with time zone not null,
  constraint staff_passkey_steps_pkey PRIMARY KEY (token_hash),
  constraint staff_passkey_steps_purpose_check CHECK ((purpose = ANY (ARRAY['log-in'::text, 'enrol'::text, 'add'::text]))),
  constraint staff_passkey_steps_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(id)
);
CREATE INDEX staff_passkey_steps_by_expiry ON public.staff_passkey_steps USING btree (expires_at);
CREATE INDEX staff_passkey_steps_of_member ON public.staff_passkey_steps USING btree (staff_id);

create table staff_passkeys (
  id text not null,
  staff_id text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint staff_passkeys_pkey PRIMARY KEY (id),
  constraint staff_passkeys_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(id)
);
CREATE INDEX staff_passkeys_of_member ON public.staff_passkeys USING btree (staff_id);

create table staff_sessions (
  token_hash bytea not null,
  staff_id text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint staff_sessions_pkey PRIMARY KEY (token_hash),
  constraint staff_sessions_staff_id_fkey FOREIGN KEY (staff_id) REFERENCES staff_members(id)
);
CREATE INDEX staff_sessions_by_expiry ON public.staff_sessions USING btree (expires_at);
CREATE INDEX staff_sessions_of_member ON public.staff_sessions USING btree (staff_id);

create table unexplained_bags (
  order_id text not null,
  constraint unexplained_bags_pkey PRIMARY KEY (order_id),
  constraint unexplained_bags_order_id_fkey FOREIGN KEY (order_id) REFERENCES orders(id)
);

create table verification_codes (
  id bigint generated always as identity not null,
  browser_hash bytea not null,
  mobile mobile not null,
  purpose text not null,
  handle text,
  message_id bigint,
  tries_left smallint default 3 not null,
  wrong_guesses smallint default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  voided_at timestamp with time zone,
  known_device boolean default false not null,
  network_hash bytea,
  device_hash bytea,
  constraint verification_codes_pkey PRIMARY KEY (id),
  constraint verification_codes_message_id_fkey FOREIGN KEY (message_id) REFERENCES outbox_messages(id) ON DELETE SET NULL,
  constraint verification_codes_purpose_check CHECK ((purpose = ANY (ARRAY['signup'::text, 'reset'::text, 'guest'::text, 'export'::text, 'deletion'::text]))),
  constraint verification_codes_tries_left_check CHECK (((tries_left >= 0) AND (tries_left <= 3))),
  constraint verification_codes_wrong_guesses_check CHECK (((wrong_guesses >= 0) AND (wrong_guesses <= 3)))
);
CREATE INDEX verification_codes_of_mobile ON public.verification_codes USING btree (mobile, created_at);
CREATE INDEX verification_codes_of_proved_network ON public.verification_codes USING btree (network_hash) WHERE (used_at IS NOT NULL);
CREATE UNIQUE INDEX one_live_code ON public.verification_codes USING btree (browser_hash, mobile, purpose) WHERE ((used_at IS NULL) AND (voided_at IS NULL));

create table verification_grants (
  id bigint generated always as identity not null,
  browser_hash bytea not null,
  mobile mobile not null,
  purpose text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint verification_grants_pkey PRIMARY KEY (id),
  constraint verification_grants_purpose_check CHECK ((purpose = ANY (ARRAY['signup'::text, 'reset'::text, 'guest'::text, 'export'::text, 'deletion'::text, 'receipt'::text])))
);
CREATE INDEX verification_grants_of_browser ON public.verification_grants USING btree (browser_hash, purpose);

create view desk_changes as
 SELECT event.id,
    event.order_id,
    event.xid,
    orders.stage
   FROM order_events event
     JOIN orders ON orders.id = event.order_id
  WHERE event.xid IS NOT NULL;

create view desk_events as
 SELECT event.id,
    event.order_id,
    event.kind,
    event.stage,
    event.data,
    event.at,
    author.staff_id,
    author.device_at,
    author.note,
    staff_members.name AS staff_name,
    payment.method AS payment_method,
    payment.amount_paise AS payment_paise,
    author.bags
   FROM order_events event
     LEFT JOIN order_event_authors author ON author.event_id = event.id
     LEFT JOIN staff_members ON staff_members.id = author.staff_id
     LEFT JOIN payments payment ON payment.reference = (event.data ->> 'reference'::text);

create view desk_order_filters as
 SELECT id,
    customer_id,
    area,
    stage,
    pickup_day,
    weight_grams,
    returned_at,
    is_unpaid,
    ship_mobile::text AS ship_mobile,
    to_tsvector('simple'::regconfig, ship_name) AS name_words,
    words_in_period(ship_name, pickup_day) AS period_words,
    placed_at
   FROM orders;

create view desk_orders as
 SELECT orders.id,
    orders.customer_id,
    orders.guest_session_hash IS NOT NULL AS is_guest,
    orders.program_id,
    orders.program_name,
    orders.unit,
    orders.area,
    orders.rate_paise,
    orders.offer_id,
    orders.offer_percent,
    orders.timeslot,
    orders.pickup_day,
    orders.detergent,
    orders.conditioner,
    orders.iron,
    orders.stage,
    orders.weight_grams,
    orders.items,
    orders.ship_name,
    orders.ship_mobile::text AS ship_mobile,
    orders.ship_address1,
    orders.ship_address2,
    orders.ship_landmark,
    orders.ship_pincode,
    orders.ship_city,
    orders.ship_state,
    orders.placed_at,
    orders.cancelled_at,
    orders.cancelled_by,
    orders.is_unpaid,
    to_tsvector('simple'::regconfig, orders.ship_name) AS name_words,
    customers.name AS customer_name,
    customers.mobile::text AS customer_mobile,
    order_handling.rider_id,
    rider.name AS rider_name,
    order_handling.bags,
    COALESCE(order_handling.wrong_codes::integer, 0) AS wrong_codes,
    order_received_paise(orders.id) AS received_paise,
    ( SELECT max(event.id) AS max
           FROM order_events event
          WHERE event.order_id = orders.id) AS version,
    orders.returned_at,
    orders.return_day
   FROM orders
     LEFT JOIN customers ON customers.id = orders.customer_id
     LEFT JOIN order_handling ON order_handling.order_id = orders.id
     LEFT JOIN staff_members rider ON rider.id = order_handling.rider_id;

create view desk_payments as
 SELECT payments.tid,
    payments.order_id,
    payments.reference,
    payments.method,
    payments.amount_paise,
    payments.settled_at,
    payments.note,
    reversal.reversed_at,
    reversal.reason AS reversal_reason,
    staff_members.name AS received_by,
    author.staff_id AS received_by_id
   FROM payments
     LEFT JOIN payment_reversals reversal ON reversal.tid = payments.tid
     LEFT JOIN order_events event ON event.order_id = payments.order_id AND event.kind = 'paid'::text AND (event.data ->> 'reference'::text) = payments.reference
     LEFT JOIN order_event_authors author ON author.event_id = event.id
     LEFT JOIN staff_members ON staff_members.id = author.staff_id
  WHERE payments.state = 'received'::text;

create view figure_beginning as
 SELECT min(at) AS at
   FROM order_events;

create view figure_facts as
 SELECT order_events.at,
    (order_events.kind = 'placed'::text)::integer AS placed,
    (order_events.kind = 'cancelled'::text)::integer - (order_events.kind = 'cancellation-undone'::text)::integer AS cancelled,
    0 AS delivered,
    0 AS on_time,
    0 AS grams,
    0::bigint AS revenue_paise,
    0::bigint AS cash_paise,
    0::bigint AS upi_paise,
    0::bigint AS gateway_paise,
    0::bigint AS wallet_paise,
    0::bigint AS liability_paise,
    0::bigint AS bonus_paise,
    0 AS claimed,
    0::bigint AS compensation_paise
   FROM order_events
  WHERE order_events.kind = ANY (ARRAY['placed'::text, 'cancelled'::text, 'cancellation-undone'::text])
UNION ALL
 SELECT event.at,
    0 AS placed,
    0 AS cancelled,
    delivery.sign AS delivered,
    COALESCE(delivery.sign * (delivery.at <= ((COALESCE(orders.return_day, orders.pickup_day + 1) + '21:00:00'::time without time zone) AT TIME ZONE 'Asia/Kolkata'::text))::integer, 0) AS on_time,
    COALESCE(delivery.sign * delivery.weight_grams, 0) AS grams,
    COALESCE(delivery.sign * order_final_paise(orders.rate_paise, delivery.weight_grams, orders.offer_percent), 0::bigint) AS revenue_paise,
    0 AS cash_paise,
    0 AS upi_paise,
    0 AS gateway_paise,
    0 AS wallet_paise,
    0 AS liability_paise,
    0 AS bonus_paise,
    0 AS claimed,
    0 AS compensation_paise
   FROM order_events event
     JOIN orders ON orders.id = event.order_id
     CROSS JOIN LATERAL ( SELECT
                CASE event.kind
                    WHEN 'moved'::text THEN 1
                    ELSE '-1'::integer
                END AS sign,
                CASE event.kind
                    WHEN 'moved'::text THEN event.at
                    ELSE ( SELECT earlier.at
                       FROM order_events earlier
                      WHERE earlier.order_id = event.order_id AND earlier.id < event.id AND earlier.kind = 'moved'::text AND earlier.stage = 'delivered'::text
                      ORDER BY earlier.id DESC
                     LIMIT 1)
                END AS at,
            COALESCE(( SELECT (weighed.data ->> 'weight_grams'::text)::integer AS int4
                   FROM order_events weighed
                  WHERE weighed.order_id = event.order_id AND weighed.id < event.id AND weighed.kind = 'weighed'::text
                  ORDER BY weighed.id DESC
                 LIMIT 1), orders.weight_grams) AS weight_grams) delivery
  WHERE event.kind = 'moved'::text AND event.stage = 'delivered'::text OR event.kind = 'moved-back'::text AND event.stage = 'delivery'::text
UNION ALL
 SELECT payments.settled_at AS at,
    0 AS placed,
    0 AS cancelled,
    0 AS delivered,
    0 AS on_time,
    0 AS grams,
    0 AS revenue_paise,
        CASE payments.method
            WHEN 'cash'::text THEN payments.amount_paise
            ELSE 0::bigint
        END AS cash_paise,
        CASE payments.method
            WHEN 'upi'::text THEN payments.amount_paise
            ELSE 0::bigint
        END AS upi_paise,
        CASE payments.method
            WHEN 'gateway'::text THEN payments.amount_paise
            ELSE 0::bigint
        END AS gateway_paise,
        CASE payments.method
            WHEN 'wallet'::text THEN payments.amount_paise
            ELSE 0::bigint
        END AS wallet_paise,
    0 AS liability_paise,
    0 AS bonus_paise,
    0 AS claimed,
    0 AS compensation_paise
   FROM payments
  WHERE payments.state = 'received'::text
UNION ALL
 SELECT payment_reversals.reversed_at AS at,
    0 AS placed,
    0 AS cancelled,
    0 AS delivered,
    0 AS on_time,
    0 AS grams,
    0 AS revenue_paise,
        CASE payments.method
            WHEN 'cash'::text THEN - payments.amount_paise
            ELSE 0::bigint
        END AS cash_paise,
        CASE payments.method
            WHEN 'upi'::text THEN - payments.amount_paise
            ELSE 0::bigint
        END AS upi_paise,
    0 AS gateway_paise,
    0 AS wallet_paise,
    0 AS liability_paise,
    0 AS bonus_paise,
    0 AS claimed,
    0 AS compensation_paise
   FROM payment_reversals
     JOIN payments ON payments.tid = payment_reversals.tid
UNION ALL
 SELECT ledger_postings.created_at AS at,
    0 AS placed,
    0 AS cancelled,
    0 AS delivered,
    0 AS on_time,
    0 AS grams,
    0 AS revenue_paise,
    0 AS cash_paise,
    0 AS upi_paise,
    0 AS gateway_paise,
    0 AS wallet_paise,
    - ledger_postings.amount_paise AS liability_paise,
        CASE
            WHEN ledger_postings.account_id = ANY (ARRAY['promotion'::text, 'cashback'::text]) THEN - ledger_postings.amount_paise
            ELSE 0::bigint
        END AS bonus_paise,
    0 AS claimed,
        CASE
            WHEN ledger_postings.account_id = 'compensation'::text THEN - ledger_postings.amount_paise
            ELSE 0::bigint
        END AS compensation_paise
   FROM ledger_postings
  WHERE ledger_postings.account_id = ANY (ARRAY['promotion'::text, 'compensation'::text, 'change'::text, 'cashback'::text, 'paid'::text, 'payout'::text])
UNION ALL
 SELECT claims.created_at AS at,
    0 AS placed,
    0 AS cancelled,
    0 AS delivered,
    0 AS on_time,
    0 AS grams,
    0 AS revenue_paise,
    0 AS cash_paise,
    0 AS upi_paise,
    0 AS gateway_paise,
    0 AS wallet_paise,
    0 AS liability_paise,
    0 AS bonus_paise,
    1 AS claimed,
    0 AS compensation_paise
   FROM claims;

create view notification_facts as
 SELECT event.id AS event_id,
    event.kind,
    event.stage,
    event.data,
    event.at,
    orders.id AS order_id,
    orders.customer_id,
    orders.guest_session_hash,
    customers.mobile,
    orders.stage AS order_stage,
    orders.cancelled_at,
    orders.pickup_day,
    orders.timeslot,
    orders.rate_paise,
    orders.offer_percent,
    orders.weight_grams,
    orders.items,
    orders.returned_at
   FROM order_events event
     JOIN orders ON orders.id = event.order_id
     JOIN customers ON customers.id = orders.customer_id;

CREATE OR REPLACE FUNCTION public.cash_movements_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into cash_balances (staff_id, held_paise) values (new.staff_id, new.amount_paise)
  on conflict (staff_id) do update set held_paise = cash_balances.held_paise + excluded.held_paise;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.figures_reopen(fact_at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  fact_day date := (fact_at at time zone 'Asia/Kolkata')::date;
begin
  update figures_progress set until = fact_day::timestamp at time zone 'Asia/Kolkata' where until > fact_at;
  if found then
    delete from daily_figures where day >= fact_day;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_check_entry()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  checked text := to_jsonb(new) ->> tg_argv[0];
  fault boolean;
begin
  select count(*) <> 2
      or sum(posting.amount_paise) <> 0
      or count(*) filter (where account.customer_id is not null) <> 1
      or count(*) filter (where posting.account_id = entry.kind) <> 1
      or bool_or(account.customer_id is not null
                 and (posting.amount_paise < 0) <> (entry.kind in ('paid', 'payout') or entry.reverses is not null))
      or bool_or(entry.reverses is not null and not exists (
           select from ledger_entries original
             join ledger_postings reversed on reversed.entry_id = original.id
            where original.id = entry.reverses and original.kind = entry.kind
              and original.order_id is not distinct from entry.order_id
              and reversed.account_id = posting.account_id and reversed.amount_paise = -posting.amount_paise))
    into fault
    from ledger_entries entry
    left join ledger_postings posting on posting.entry_id = entry.id
    left join ledger_accounts account on account.id = posting.account_id
   where entry.id = checked;
  if fault is distinct from false then
    raise exception 'entry % is not two postings that sum to zero, or does not negate the entry that it reverses', checked
      using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_guard_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Depth 1 is this trigger alone. Depth 2 is an update by the trigger of a posting. No other
  -- update of a balance is allowed.
  if tg_op = 'INSERT' and new.balance_paise <> 0 then
    raise exception 'a wallet starts empty' using errcode = 'integrity_constraint_violation';
  end if;
  if tg_op = 'UPDATE' and (pg_trigger_depth() < 2 or new.id <> old.id or new.customer_id is distinct from old.customer_id) then
    raise exception 'a balance moves only with a posting' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_move_balance()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update ledger_accounts set balance_paise = balance_paise + new.amount_paise where id = new.account_id and customer_id is not null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_postings_reopen_figures()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from figures_progress where until > new.created_at) then
    perform figures_reopen(new.created_at);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.ledger_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'ledger_entries' then
    if new.reason = 'erased' and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
      return new;
    end if;
  end if;
  raise exception 'the ledger is append-only: correct an entry with a new one' using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.order_events_notify()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('order_events', new.order_id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.order_events_queue_notification()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into notifications (event_id, due_at, changed_at)
  values (new.id,
          new.at + case
            when new.kind = 'cancelled' then interval '60 seconds'
            when new.kind = 'paid' and exists (
              select from payments where reference = new.data ->> 'reference' and method in ('cash', 'upi')
            ) then interval '60 seconds'
            else interval '0'
          end,
          new.at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.order_events_reopen_figures()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from figures_progress where until > new.at) then
    perform figures_reopen(new.at);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.order_events_set_unpaid()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update orders
     set is_unpaid = not is_unpaid
   where id = new.order_id
     and is_unpaid <> (stage = 'delivered' and order_final_paise(rate_paise, weight_grams, offer_percent) > order_received_paise(id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.order_final_paise(rate_paise integer, weight_grams integer, offer_percent smallint)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((((2 * (rate_paise)::bigint) * weight_grams) * (100 - offer_percent)) + 100000) / 200000);

CREATE OR REPLACE FUNCTION public.order_received_paise(id text)
 RETURNS bigint
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (SELECT COALESCE(sum(payments.amount_paise), (0)::numeric) AS "coalesce" FROM payments WHERE ((payments.order_id = order_received_paise.id) AND (payments.state = 'received'::text) AND (NOT (EXISTS (SELECT FROM payment_reversals WHERE (payment_reversals.tid = payments.tid))))));

CREATE OR REPLACE FUNCTION public.order_stages_to_events()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into order_events (order_id, kind, stage, at)
  values (new.order_id, case new.stage when 'pickup' then 'placed' else 'moved' end, new.stage, new.entered_at);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.orders_set_return_day()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  visit date := coalesce((new.cancelled_at at time zone 'Asia/Kolkata')::date, new.pickup_day);
begin
  select visit + ahead into new.return_day
    from evening_plans plan
    cross join generate_series(1, 30) ahead
    left join evening_exceptions exception on exception.area = plan.area and exception.day = visit + ahead
   where plan.area = new.area
     and case when exception.day is null then extract(isodow from visit + ahead) <> all (plan.closed_weekdays)
              else exception.capacity is distinct from 0 end
   order by ahead limit 1;
  new.return_day := coalesce(new.return_day, visit + 1);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_reversals_check()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  original payments;
begin
  select * into original from payments where tid = new.tid;
  if original.state <> 'received' or original.method not in ('cash', 'upi') then
    raise exception 'only a received cash or UPI payment is reversed' using errcode = 'integrity_constraint_violation';
  end if;
  perform from orders where id = original.order_id for no key update;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_reversals_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'UPDATE' then
    if new.reason = 'erased' and to_jsonb(new) - 'reason' = to_jsonb(old) - 'reason' then
      return new;
    end if;
  end if;
  raise exception 'reversals are kept' using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.payments_guard_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if (new.tid, new.order_id, new.method, new.amount_paise, new.due_paise, new.reference, new.created_at)
      is distinct from (old.tid, old.order_id, old.method, old.amount_paise, old.due_paise, old.reference, old.created_at) then
    raise exception 'a payment keeps its facts' using errcode = 'integrity_constraint_violation';
  end if;
  if old.state = 'received' and new is distinct from old
      and (new.note is not null or to_jsonb(new) - 'note' is distinct from to_jsonb(old) - 'note') then
    raise exception 'a received payment keeps its facts' using errcode = 'integrity_constraint_violation';
  end if;
  if new.state <> old.state and not (old.state = 'pending' or (old.state = 'failed' and new.state = 'received')) then
    raise exception 'a payment never goes back from % to %', old.state, new.state using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.payments_refuse_removal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'payments are kept' using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.payments_take_turn()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  stage_now text;
begin
  select stage into stage_now from orders where id = new.order_id for no key update;
  if new.method = 'wallet' and stage_now not in ('queue', 'washing', 'delivery') then
    raise exception 'order % is at %', new.order_id, stage_now
      using errcode = 'integrity_constraint_violation', constraint = 'wallet_pays_only_before_delivery';
  end if;
  if new.method = 'wallet' and new.amount_paise + (
      select coalesce(sum(amount_paise), 0) from payments
       where order_id = new.order_id and state = 'received' and method <> 'wallet'
         and not exists (select from payment_reversals where payment_reversals.tid = payments.tid)
    ) > new.due_paise then
    raise exception 'order % needs no wallet payment', new.order_id
      using errcode = 'integrity_constraint_violation', constraint = 'wallet_pays_only_what_is_open';
  end if;
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.review_counts_add()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed record;
begin
  for changed in select star, count(*) as number from added where hidden_at is null group by star order by star loop
    update review_counts set reviews = reviews + changed.number where star = changed.star;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.review_counts_hide()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update review_counts set reviews = reviews + case when new.hidden_at is null then 1 else -1 end where star = new.star;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.review_counts_remove()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  changed record;
begin
  for changed in select star, count(*) as number from removed where hidden_at is null group by star order by star loop
    update review_counts set reviews = reviews - changed.number where star = changed.star;
  end loop;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.reviews_refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the stars of a review stay as they were given' using errcode = 'integrity_constraint_violation';
end $function$;

CREATE OR REPLACE FUNCTION public.search_period(day date)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((day - '2000-01-03'::date) / 28);

CREATE OR REPLACE FUNCTION public.staff_audit_copy_credit()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  credited bigint := coalesce(new.after ->> 'credited_paise', new.after ->> 'amount_paise')::bigint
                     - coalesce(new.after ->> 'own_money_paise', '0')::bigint;
begin
  if credited > 0 then
    insert into staff_credits (audit_id, staff_id, at, amount_paise) values (new.id, new.staff_id, new.at, credited)
    on conflict do nothing;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.words_in_period(name text, day date)
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT ((search_period(words_in_period.day) || '/'::text) || word.word) FROM unnest(tsvector_to_array(to_tsvector('simple'::regconfig, words_in_period.name))) word(word));
