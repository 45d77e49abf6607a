/**
 * Large tables for benches and tests of query plans, made by the database itself in a few seconds.
 */
import { sql } from 'kysely';
import type { Db } from '../../src/db/database.server.ts';

export const now = new Date('2026-11-21T05:00:00Z');

/**
 * Inserts customers C0, C1 … with an account, a session of token T0, T1 … and an address D0, D1 …
 * each.
 */
export async function insertCustomers(db: Db, customers: number) {
  await sql`insert into customers (id, mobile, name, password_hash, created_at)
    select 'C' || n, (9000000000 + n)::text, 'Bench', 'none', ${now} from generate_series(0, ${customers}::int - 1) n`.execute(db);
  await sql`insert into sessions (token_hash, customer_id, kind, created_at, expires_at)
    select sha256(('T' || n)::bytea), 'C' || n, 'customer', ${now}, '2099-01-01' from generate_series(0, ${customers}::int - 1) n`.execute(
    db,
  );
  await sql`insert into addresses (id, customer_id, name, mobile, address1, address2, landmark, pincode, city, state, created_at)
    select 'D' || n, 'C' || n, 'Bench', '9000000000', 'House 1', 'Street 2', 'Park', '122052', 'Gurugram', 'Haryana', ${now}
      from generate_series(0, ${customers}::int - 1) n`.execute(db);
}

export const ORDERS_EACH = 20;

/** Spread over two years. Row n belongs to customer n / 20. */
const time = sql.raw(`timestamptz '2024-11-21' + n % 20 * interval '36 days' + n / 20 * interval '1 second'`);

/**
 * Inserts customers with twenty orders each, with their history, keys, ledger entries and payments,
 * and reviews, offers and reversed payments for a tenth of the orders. Analyzes the tables.
 */
export async function insertOrders(db: Db, orders: number) {
  await db.connection().execute(async (connection) => {
    // Without triggers and foreign keys, which would check each row. Dropping the database audits
    // the ledger.
    await sql`set session_replication_role = replica`.execute(connection);
    await insertCustomers(connection, orders / ORDERS_EACH);
    await sql`insert into orders (id, customer_id, program_id, program_name, unit, area, base_rate_paise, surcharge_paise, rate_paise, order_rate_paise,
        timeslot, pickup_day, detergent, conditioner, iron, stage, weight_grams, items, ship_name, ship_mobile, ship_address1, ship_address2, ship_landmark,
        ship_pincode, ship_city, ship_state, placed_at)
      select 'A' || n, 'C' || n / ${ORDERS_EACH}::int, 'wash', 'Wash', 'kg', 'manesar', 3800, 0, 3800, 3800, '05:00 - 09:00 PM', '2026-11-21', '', '', '',
        'delivered', 2000, 5, 'Bench', '9000000000', 'House 1', 'Street 2', 'Park', '122052', 'Gurugram', 'Haryana', ${time}
        from generate_series(0, ${orders}::int - 1) n`.execute(connection);
    await sql`insert into order_events (order_id, kind, stage, at)
      select 'A' || n, kind, stage, ${time} from generate_series(0, ${orders}::int - 1) n,
             (values ('placed', 'pickup'), ('moved', 'delivered')) events (kind, stage)`.execute(connection);
    await sql`insert into idempotency_keys (customer_id, key, body_hash, order_id, created_at)
      select 'C' || n / ${ORDERS_EACH}::int, 'bulk-key-' || n, '', 'A' || n, ${time} from generate_series(0, ${orders}::int - 1) n`.execute(
      connection,
    );
    await sql`insert into ledger_accounts (id, customer_id, balance_paise)
      select 'wallet:C' || n, 'C' || n, ${ORDERS_EACH}::int / 2 * (5000 - 3800) from generate_series(0, ${orders}::int / ${ORDERS_EACH}::int - 1) n`.execute(
      connection,
    );
    // Even entries credit ₹50; odd ones pay ₹38 for an order.
    await sql`insert into ledger_entries (id, kind, reason, reference, order_id, created_at)
      select 'E' || n, kinds.kind, 'A bench', 'bench:' || n, case kinds.kind when 'paid' then 'A' || n end, ${time}
        from generate_series(0, ${orders}::int - 1) n join (values (0, 'promotion'), (1, 'paid')) kinds (rest, kind) on rest = n % 2`.execute(
      connection,
    );
    await sql`insert into ledger_postings (entry_id, account_id, amount_paise, created_at)
      select 'E' || n, case side when 1 then 'wallet:C' || n / ${ORDERS_EACH}::int else kinds.kind end, side * amount, ${time}
        from generate_series(0, ${orders}::int - 1) n
        join (values (0, 'promotion', 5000), (1, 'paid', -3800)) kinds (rest, kind, amount) on rest = n % 2, (values (1), (-1)) sides (side)`.execute(
      connection,
    );
    await sql`insert into payments (tid, order_id, method, state, amount_paise, due_paise, reference, transaction_id, created_at, settled_at)
      select lpad(n::text, 22, 'p'), 'A' || n, 'wallet', 'received', 3800, 7600, lpad(n::text, 20, 'r'), 'E' || n, ${time}, ${time}
        from generate_series(1, ${orders}::int - 1, 2) n`.execute(connection);
    await sql`insert into payments (tid, order_id, method, state, amount_paise, due_paise, reference, transaction_id, created_at, settled_at)
      select lpad(n::text, 22, 'x'), 'A' || n, 'cash', 'received', 3800, 7600, lpad(n::text, 20, 'x'), lpad(n::text, 20, 'x'), ${time}, ${time}
        from generate_series(0, ${orders}::int - 1, 10) n`.execute(connection);
    await sql`insert into payment_reversals (tid, reason, reversed_at)
      select lpad(n::text, 22, 'x'), 'Bulk data', ${time} from generate_series(0, ${orders}::int - 1, 10) n`.execute(connection);
    await sql`insert into offers (id, customer_id, percent, valid_days, starts_at, reason, granted_at)
      select 'O' || n, 'C' || n / ${ORDERS_EACH}::int, 10, 30, ${time}, 'Bulk data', ${time} from generate_series(0, ${orders}::int - 1, 10) n`.execute(
      connection,
    );
    await sql`insert into reviews (id, customer_id, star, message, created_at)
      select 'R' || n, 'C' || n / ${ORDERS_EACH}::int, 1 + n % 5, 'Clean, folded and on time', ${time} from generate_series(0, ${orders}::int / 10 - 1) n`.execute(
      connection,
    );
    await sql`update review_counts set reviews = (select count(*) from reviews where reviews.star = review_counts.star)`.execute(
      connection,
    );
    await sql`set session_replication_role = default`.execute(connection);
  });
  await sql`vacuum analyze`.execute(db);
}

/** People S0 to S9 of the staff. */
const PEOPLE = 10;

/** Inserts people of the staff with audit rows of two years. Analyzes the tables. */
export async function insertAudit(db: Db, rows: number) {
  await sql`insert into staff_members (id, mobile, name, role, created_at)
    select 'S' || n, (9100000000 + n)::text, 'Bench', 'operator', ${now} from generate_series(0, ${PEOPLE}::int - 1) n`.execute(db);
  await sql`insert into staff_audit (at, staff_id, action, subject_kind, subject_id, after)
    select timestamptz '2024-11-21' + n * interval '2 years' / ${rows}::int, 'S' || n % ${PEOPLE}::int,
           case when n % 5 = 0 then 'grant-credit' else 'move-order' end, 'order', 'A' || n, '{"amount_paise": 100}'
      from generate_series(0, ${rows}::int - 1) n`.execute(db);
  await sql`analyze staff_members, staff_audit`.execute(db);
}

/** Inserts a claim with a message and a photo about each order. Analyzes the tables. */
export async function insertClaims(db: Db, orders: number) {
  await sql`insert into claims (id, customer_id, order_id, kind, request_key, body_hash, created_at, answer_by)
    select 'L' || n, 'C' || n / ${ORDERS_EACH}::int, 'A' || n, 'late', 'bulk-claim-' || n, '', ${now}, ${now}::timestamptz + interval '1 day'
      from generate_series(0, ${orders}::int - 1) n`.execute(db);
  await sql`insert into claim_messages (claim_id, author, message, written_at) select id, 'customer', 'It is late', ${now} from claims`.execute(
    db,
  );
  await sql`insert into claim_photos (id, customer_id, type, bytes, created_at, stored_at, claim_id, position)
    select 'P' || id, customer_id, 'image/jpeg', 1000, ${now}, ${now}, id, 1 from claims`.execute(db);
  await sql`analyze claims, claim_messages, claim_photos`.execute(db);
}

/**
 * Spreads the orders of `insertOrders` over days, puts the newest of the first customers into open
 * stages, and a few into a rare area. Analyzes the table.
 */
export async function spreadOrders(db: Db) {
  await sql`
    update orders
       set pickup_day = placed_at::date, ship_name = 'Bench ' || id,
           ship_mobile = (select mobile from customers where customers.id = customer_id),
           area = case when substr(id, 2)::int % 2000 = 7 then 'vatika' else area end,
           is_unpaid = substr(id, 2)::int % 200 = 5,
           stage = case when substr(id, 2)::int % 20 = 19 and substr(id, 2)::int < 4000
                        then (array['pickup', 'queue', 'washing', 'delivery'])[1 + substr(id, 2)::int / 20 % 4] else stage end`.execute(db);
  await sql`vacuum analyze orders`.execute(db);
}
