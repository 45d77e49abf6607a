/** Customers C0, C1 … with sessions T0, T1 … and an address each, D0, D1 … */
import { sql } from 'kysely';
import type { Db } from '../src/db/database.server.ts';
import type { SignedInCustomer } from '../src/domains/sessions/authentication.server.ts';
import { findSession } from '../src/domains/sessions/store.server.ts';
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

/** Authenticates the first customer by the statement that a request uses. */
export async function authenticate(db: Db): Promise<SignedInCustomer> {
  const sessionHash = hashToken('T0');
  const session = await findSession(db, sessionHash, now);
  return { kind: 'customer', id: session?.customer_id, sessionHash } as unknown as SignedInCustomer;
}
