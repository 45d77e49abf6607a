import type { Db } from '../src/db/database.server.ts';
import type { SignedInCustomer } from '../src/domains/sessions/authentication.server.ts';
import { findSession } from '../src/domains/sessions/store.server.ts';
import { hashToken } from '../src/security/tokens.server.ts';
import { now } from '../test/support/bulk-data.ts';

/** Authenticates customer C0 with the statement that every request executes. */
export async function authenticate(db: Db): Promise<SignedInCustomer> {
  const sessionHash = hashToken('T0');
  const session = await findSession(db, sessionHash, now);
  return { kind: 'customer', id: session?.customer_id, sessionHash } as unknown as SignedInCustomer;
}
