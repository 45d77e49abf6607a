import { sql } from 'kysely';
import type { Db } from '../src/db/database.server.ts';
import { count } from './count.ts';

/**
 * Returns a sentence with the name of the database and its numbers of orders and payments: the
 * settings of a shell can be those of another database than meant.
 */
export async function describeDatabase(db: Db): Promise<string> {
  const { rows } = await sql<{ name: string; orders: number; payments: number }>`
    select current_database()::text as name, (select count(*) from orders)::int as orders,
           (select count(*) from payments where state = 'received')::int as payments`.execute(db);
  const [{ name, orders, payments } = { name: '', orders: 0, payments: 0 }] = rows;
  return `Database ${name}: ${count(orders, 'order', 'orders')}, ${count(payments, 'payment', 'payments')}.`;
}
