/** As many orders as asked for, twenty of each customer, with their history, as many ledger entries, and a tenth as many reviews. */
import { sql } from 'kysely';
import type { Db } from '../src/db/database.server.ts';
import { insertCustomers } from './customers.ts';

export const ORDERS_EACH = 20;

/** Spread over the two years before: order and entry n are those of customer n / 20. */
const time = sql.raw(`timestamptz '2024-11-21' + n % 20 * interval '36 days' + n / 20 * interval '1 second'`);

export async function insertMany(db: Db, orders: number) {
  await db.connection().execute(async (connection) => {
    // Rows come by the million: triggers and foreign keys would look at each of them. The ledger is audited afterwards, as every scratch database is.
    await sql`set session_replication_role = replica`.execute(connection);
    await insertCustomers(connection, orders / ORDERS_EACH);
    await sql`insert into orders (id, customer_id, program_id, program_name, unit, area, base_rate_paise, surcharge_paise, rate_paise, order_rate_paise,
        timeslot, pickup_day, detergent, conditioner, iron, stage, weight_grams, items, ship_name, ship_mobile, ship_address1, ship_address2, ship_landmark,
        ship_pincode, ship_city, ship_state, placed_at)
      select 'A' || n, 'C' || n / ${ORDERS_EACH}::int, 'wash', 'Wash', 'kg', 'manesar', 3800, 0, 3800, 3800, '05:00 - 09:00 PM', '2026-11-21', '', '', '',
        'delivered', 2000, 5, 'Bench', '9000000000', 'House 1', 'Street 2', 'Park', '122052', 'Gurugram', 'Haryana', ${time}
        from generate_series(0, ${orders}::int - 1) n`.execute(connection);
    await sql`insert into order_stages (order_id, stage, entered_at)
      select 'A' || n, stage, ${time} from generate_series(0, ${orders}::int - 1) n, (values ('pickup'), ('delivered')) stages (stage)`.execute(
      connection,
    );
    await sql`insert into ledger_accounts (id, customer_id, balance_paise)
      select 'wallet:C' || n, 'C' || n, ${ORDERS_EACH}::int / 2 * (5000 - 3800) from generate_series(0, ${orders}::int / ${ORDERS_EACH}::int - 1) n`.execute(
      connection,
    );
    // Every other movement gives ₹50, every other pays ₹38 for an order.
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
