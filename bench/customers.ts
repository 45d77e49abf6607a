/** Customers C0, C1 … with sessions T0, T1 … and an address each, D0, D1 … */
import { sql } from 'kysely';
import type { Db } from '../src/db/database.server.ts';
import type { ProveReading, SignedInCustomer } from '../src/domains/sessions/authentication.server.ts';
import { hashToken } from '../src/security/tokens.server.ts';

export const now = new Date('2026-11-21T05:00:00Z');

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

/** What the gate does for the first customer's request, without a request. */
export function provingReader(db: Db) {
  const sessionHash = hashToken('T0');
  const customer = { kind: 'customer', id: 'C0', sessionHash } as unknown as SignedInCustomer;
  const prove: ProveReading<SignedInCustomer> = async ({ withSession }, values) => {
    const [session] = await withSession(db, { ...values(sessionHash), sessionHash, now });
    if (!session) throw new Error('the bench has no session');
    return { caller: customer, found: session.found };
  };
  return { prove, customer };
}
