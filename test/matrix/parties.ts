/** Two customers with all resources, and callers without a valid session. */
import { randomBytes } from 'node:crypto';
import { hashToken } from '../../src/security/tokens.server.ts';
import { logout } from '../../src/domains/accounts/contract.ts';
import { addClaim } from '../../src/domains/claims/contract.ts';
import { moveOrder, weighOrder } from '../../src/domains/orders/service.server.ts';
import { getUserDetails } from '../../src/domains/profile/contract.ts';
import { addReview, getOwnReviews } from '../../src/domains/reviews/contract.ts';
import { creditWallet } from '../../src/domains/wallet/service.server.ts';
import { asPaise } from '../../src/lib/money.ts';
import { addSeconds } from '../../src/lib/clock.ts';
import { createPasswords } from '../../src/security/passwords.server.ts';
import type { Caller } from '../support/caller.ts';
import { newOrderingCustomer, place, type OrderingCustomer } from '../support/ordering.ts';
import { newSession, type ProgramUnderTest } from '../support/seed-customers.ts';
import type { TestProgram } from '../support/program.ts';

export const PASSWORD = 'six chars';
const passwordHash = createPasswords().hash(PASSWORD);

export interface Party extends OrderingCustomer {
  readonly addressid: string;
  readonly orderid: string;
  readonly claimid: string;
  readonly reviewid: string;
}

export interface Parties {
  readonly own: Party;
  readonly other: Party;
}

export async function newParties(program: TestProgram): Promise<Parties> {
  return { own: await newParty(program), other: await newParty(program) };
}

/** Creates a customer with an address, an order that can be paid, and a credit in the wallet. */
export async function newParty(program: ProgramUnderTest): Promise<Party> {
  const customer = await newOrderingCustomer(program);
  await program.db
    .updateTable('customers')
    .set({ password_hash: await passwordHash })
    .where('id', '=', customer.userid)
    .execute();
  const { orderid } = await place(customer);
  // Two kilograms at ₹38 in stage `queue`, so that payments are possible.
  await weighOrder(program.db, orderid, 2000, 8, program.clock.now());
  await moveOrder(program.db, orderid, 'queue', program.clock.now());
  const bonus = { kind: 'promotion', amountPaise: asPaise(10_000), reason: 'A test', reference: `test:${customer.userid}` } as const;
  await creditWallet(program.db, { ...bonus, customerId: customer.userid, at: program.clock.now() });
  const claim = { userid: customer.userid, orderid, kind: 'missing', message: 'A sock is missing' } as const;
  const { data: reported } = await customer.caller.send(addClaim, claim);
  await customer.caller.send(addReview, { userid: customer.userid, star: 4, message: 'Clean' });
  const { data: reviews } = await customer.caller.send(getOwnReviews, { userid: customer.userid });
  const [claimid, reviewid] = [reported?.claimid ?? '', reviews?.[0]?.reviewid ?? ''];
  return { ...customer, addressid: customer.order.addressid ?? '', orderid, claimid, reviewid };
}

/** Returns callers without a valid session. The server must respond to all of them alike. */
export async function callersWithoutAuthority(program: TestProgram, { own }: Parties): Promise<Record<string, Caller>> {
  const forged = program.caller();
  forged.cookies.set('session', randomBytes(32).toString('base64url'));
  const garbled = program.caller();
  garbled.cookies.set('session', "' or 1=1 --");
  const hinted = program.caller();
  hinted.cookies.set('signed_in', '1').set('userid', own.userid);
  const loggedOut = await newSession(program, own.userid, 'customer');
  const replayed = loggedOut.cookies.get('session') ?? '';
  // Twice, so that both of two processes have read the session before one ends it.
  for (let turn = 0; turn < 2; turn += 1) await loggedOut.send(getUserDetails, {});
  await loggedOut.send(logout, {});
  loggedOut.cookies.set('session', replayed);
  const expired = await newSession(program, own.userid, 'customer');
  await program.db
    .updateTable('sessions')
    .set({ expires_at: addSeconds(program.clock.now(), -1) })
    .where('token_hash', '=', hashOf(expired))
    .execute();
  return {
    'no cookie': program.caller(),
    'a forged cookie': forged,
    'a garbled cookie': garbled,
    'a hint without a session': hinted,
    'an ended session': loggedOut,
    'an expired session': expired,
  };
}

const hashOf = (caller: Caller) => hashToken(caller.cookies.get('session') ?? '');
