// `npm run db:types` writes this file from the migrations.

/**
 * The columns that a backup contains, with the migration that created each, and after the hyphen
 * the one that dropped it.
 */
export const COLUMN_HISTORY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "addresses": {
    "address1": "0001",
    "address2": "0001",
    "area": "0013",
    "city": "0001",
    "created_at": "0001",
    "customer_id": "0001",
    "id": "0001",
    "landmark": "0001",
    "mobile": "0001",
    "name": "0001",
    "pincode": "0001",
    "state": "0001"
  },
  "area_variations": {
    "area": "0002",
    "program_id": "0002",
    "surcharge_paise": "0002"
  },
  "bot_proofs": {
    "expires_at": "0001",
    "proof_hash": "0001"
  },
  "cash_balances": {
    "held_paise": "0032",
    "staff_id": "0032"
  },
  "cash_handins": {
    "counted_paise": "0022",
    "counter_id": "0022",
    "expected_paise": "0022",
    "explained_by": "0022",
    "explanation": "0022",
    "handed_in_at": "0022",
    "holder_id": "0022",
    "id": "0022",
    "kept_paise": "0078",
    "reversed_paise": "0032"
  },
  "cash_movements": {
    "amount_paise": "0022",
    "at": "0022",
    "handin_id": "0022",
    "id": "0022",
    "kind": "0022",
    "payment_tid": "0022",
    "staff_id": "0022"
  },
  "claim_messages": {
    "author": "0014",
    "claim_id": "0014",
    "id": "0014",
    "message": "0014",
    "written_at": "0014"
  },
  "claim_photos": {
    "bytes": "0014",
    "claim_id": "0014",
    "created_at": "0014",
    "customer_id": "0014",
    "guest_session_hash": "0014",
    "id": "0014",
    "position": "0014",
    "stored_at": "0014",
    "type": "0014"
  },
  "claims": {
    "answer_by": "0014",
    "assigned_to": "0060",
    "body_hash": "0014",
    "created_at": "0014",
    "customer_id": "0014",
    "id": "0014",
    "kind": "0014",
    "order_id": "0014",
    "request_key": "0014",
    "settled_at": "0014",
    "settled_paise": "0014",
    "status": "0014"
  },
  "consents": {
    "at": "0062",
    "customer_id": "0062",
    "is_shown": "0062",
    "language": "0062",
    "purpose": "0062",
    "text": "0062"
  },
  "customers": {
    "created_at": "0001",
    "email": "0001",
    "id": "0001",
    "is_erased": "0047",
    "mobile": "0001",
    "name": "0001",
    "password_hash": "0001",
    "referred_by": "0001"
  },
  "daily_figures": {
    "bonus_paise": "0026",
    "cancelled": "0026",
    "cash_paise": "0026",
    "claimed": "0026",
    "compensation_paise": "0076",
    "day": "0026",
    "delivered": "0026",
    "gateway_paise": "0026",
    "grams": "0026",
    "liability_paise": "0026",
    "on_time": "0026",
    "placed": "0026",
    "revenue_paise": "0026",
    "upi_paise": "0026",
    "wallet_paise": "0026"
  },
  "deleted_photos": {
    "delete_at": "0054",
    "id": "0054"
  },
  "erased_numbers": {
    "erased_at": "0048",
    "number_hash": "0048"
  },
  "error_reports": {
    "id": "0002",
    "message": "0002",
    "report": "0002",
    "reported_at": "0002"
  },
  "evening_bookings": {
    "area": "0030",
    "booked": "0030",
    "day": "0030"
  },
  "evening_exceptions": {
    "area": "0030",
    "capacity": "0030",
    "day": "0030"
  },
  "evening_plans": {
    "area": "0030",
    "capacity": "0030",
    "closed_weekdays": "0030",
    "cut_off": "0030",
    "version": "0030"
  },
  "figures_progress": {
    "one": "0026",
    "until": "0026"
  },
  "idempotency_keys": {
    "body_hash": "0002",
    "created_at": "0002",
    "customer_id": "0002",
    "key": "0002",
    "order_id": "0002"
  },
  "job_runs": {
    "duration_ms": "0034",
    "ended_at": "0034",
    "error": "0034",
    "job": "0034",
    "mark": "0063",
    "outcome": "0034",
    "progress": "0034",
    "started_at": "0034",
    "succeeded_at": "0034",
    "unbalanced_at": "0034"
  },
  "known_devices": {
    "created_at": "0008",
    "device_hash": "0008",
    "expires_at": "0008",
    "kind": "0069",
    "mobile": "0008"
  },
  "ledger_accounts": {
    "balance_paise": "0003",
    "customer_id": "0003",
    "id": "0003"
  },
  "ledger_entries": {
    "created_at": "0003",
    "id": "0003",
    "kind": "0003",
    "order_id": "0003",
    "reason": "0003",
    "reference": "0003",
    "reverses": "0010",
    "xid": "0063"
  },
  "ledger_postings": {
    "account_id": "0003",
    "amount_paise": "0003",
    "created_at": "0003",
    "entry_id": "0003"
  },
  "live_use": {
    "is_only_row": "0040",
    "since": "0040"
  },
  "notification_settings": {
    "customer_id": "0017",
    "muted": "0017"
  },
  "notifications": {
    "attempts": "0017",
    "changed_at": "0017",
    "due_at": "0017",
    "error": "0034",
    "event_id": "0017",
    "failure": "0034",
    "state": "0017",
    "text": "0017"
  },
  "offers": {
    "customer_id": "0006",
    "ended_at": "0067",
    "granted_at": "0006",
    "id": "0006",
    "percent": "0006",
    "reason": "0006",
    "starts_at": "0006",
    "valid_days": "0006"
  },
  "order_event_authors": {
    "bags": "0027",
    "device_at": "0019",
    "event_id": "0019",
    "note": "0019",
    "staff_id": "0019"
  },
  "order_events": {
    "at": "0012",
    "data": "0012",
    "id": "0012",
    "kind": "0012",
    "order_id": "0012",
    "stage": "0012",
    "xid": "0019"
  },
  "order_handling": {
    "bags": "0019",
    "order_id": "0019",
    "rider_id": "0019",
    "wrong_codes": "0019"
  },
  "order_photos": {
    "bytes": "0028",
    "created_at": "0028",
    "device_at": "0065",
    "id": "0028",
    "kind": "0028",
    "order_id": "0028",
    "request_key": "0028",
    "staff_id": "0028",
    "stored_at": "0028",
    "type": "0028"
  },
  "order_stages": {
    "entered_at": "0002",
    "order_id": "0002",
    "stage": "0002"
  },
  "orders": {
    "area": "0002",
    "base_rate_paise": "0002",
    "cancellations": "0015",
    "cancelled_at": "0015",
    "cancelled_by": "0015",
    "cancelled_from": "0015",
    "conditioner": "0002",
    "customer_id": "0002",
    "detergent": "0002",
    "guest_session_hash": "0002",
    "id": "0002",
    "iron": "0002",
    "is_unpaid": "0019",
    "items": "0002",
    "offer_id": "0002",
    "offer_percent": "0002",
    "order_rate_paise": "0002",
    "pickup_day": "0002",
    "placed_at": "0002",
    "program_id": "0002",
    "program_name": "0002",
    "rate_paise": "0002",
    "return_day": "0070",
    "returned_at": "0042",
    "ship_address1": "0002",
    "ship_address2": "0002",
    "ship_city": "0002",
    "ship_landmark": "0002",
    "ship_mobile": "0002",
    "ship_name": "0002",
    "ship_pincode": "0002",
    "ship_state": "0002",
    "stage": "0002",
    "surcharge_paise": "0002",
    "timeslot": "0002",
    "unit": "0002",
    "weight_grams": "0002"
  },
  "outbox_messages": {
    "browser_hash": "0001",
    "code": "0001",
    "created_at": "0001",
    "error": "0034",
    "failure": "0034",
    "id": "0001",
    "mobile": "0001",
    "sent_at": "0001",
    "state": "0001",
    "text": "0001"
  },
  "payment_events": {
    "event": "0005",
    "event_id": "0005",
    "gateway": "0005",
    "received_at": "0005",
    "tid": "0005"
  },
  "payment_reversals": {
    "reason": "0010",
    "reversed_at": "0010",
    "tid": "0010"
  },
  "payments": {
    "amount_paise": "0005",
    "asked_at": "0005",
    "created_at": "0005",
    "due_paise": "0005",
    "gateway": "0005",
    "gateway_id": "0005",
    "gateway_url": "0005",
    "method": "0005",
    "note": "0010",
    "order_id": "0005",
    "reference": "0005",
    "reported_at": "0045",
    "settled_at": "0005",
    "state": "0005",
    "tid": "0005",
    "transaction_id": "0005"
  },
  "programs": {
    "description": "0002",
    "id": "0002",
    "name": "0002",
    "position": "0002",
    "rate_paise": "0002",
    "unit": "0002"
  },
  "referral_bonuses": {
    "granted_at": "0004",
    "new_customer_id": "0004",
    "referrer_id": "0004"
  },
  "reset_handles": {
    "expires_at": "0001",
    "handle": "0001",
    "mobile": "0001"
  },
  "review_counts": {
    "reviews": "0007",
    "star": "0007"
  },
  "reviews": {
    "created_at": "0002",
    "customer_id": "0002",
    "hidden_at": "0023",
    "hidden_reason": "0023",
    "id": "0002",
    "message": "0002",
    "order_id": "0016",
    "replied_at": "0023",
    "reply": "0023",
    "sample": "0002",
    "star": "0002",
    "withdrawn_at": "0073"
  },
  "sandbox_payments": {
    "amount_paise": "0005",
    "id": "0005",
    "outcome": "0005",
    "paid_at": "0005",
    "reference": "0005",
    "return_path": "0005"
  },
  "sessions": {
    "created_at": "0001",
    "customer_id": "0001",
    "expires_at": "0001",
    "kind": "0001",
    "token_hash": "0001"
  },
  "staff_answers": {
    "answer": "0018",
    "created_at": "0018",
    "is_done": "0049",
    "key": "0018",
    "request_hash": "0018",
    "staff_id": "0018"
  },
  "staff_audit": {
    "action": "0018",
    "after": "0018",
    "at": "0018",
    "before": "0018",
    "command_user": "0047",
    "id": "0018",
    "staff_id": "0018",
    "subject_id": "0018",
    "subject_kind": "0018"
  },
  "staff_credits": {
    "amount_paise": "0050",
    "at": "0050",
    "audit_id": "0050",
    "staff_id": "0050"
  },
  "staff_members": {
    "created_at": "0018",
    "id": "0018",
    "link_expires_at": "0018",
    "link_hash": "0018",
    "mobile": "0018",
    "name": "0018",
    "password_hash": "0018",
    "removed_at": "0018",
    "role": "0018"
  },
  "staff_passkey_steps": {
    "challenge": "0024",
    "expires_at": "0024",
    "purpose": "0024",
    "staff_id": "0024",
    "token_hash": "0024"
  },
  "staff_passkeys": {
    "counter": "0024",
    "created_at": "0024",
    "id": "0024",
    "public_key": "0024",
    "staff_id": "0024",
    "transports": "0024",
    "used_at": "0024"
  },
  "staff_sessions": {
    "created_at": "0018",
    "expires_at": "0018",
    "staff_id": "0018",
    "token_hash": "0018"
  },
  "unexplained_bags": {
    "order_id": "0074"
  },
  "verification_codes": {
    "browser_hash": "0001",
    "created_at": "0001",
    "device_hash": "0011",
    "expires_at": "0001",
    "handle": "0001",
    "id": "0001",
    "known_device": "0008",
    "message_id": "0001",
    "mobile": "0001",
    "network_hash": "0008",
    "purpose": "0001",
    "tries_left": "0001",
    "used_at": "0001",
    "voided_at": "0001",
    "wrong_guesses": "0001"
  },
  "verification_grants": {
    "browser_hash": "0001",
    "created_at": "0001",
    "expires_at": "0001",
    "id": "0001",
    "mobile": "0001",
    "purpose": "0001",
    "used_at": "0001"
  }
};

export const NEWEST_MIGRATION = '0078';
