/**
 * Transactions beside an erasure take their locks in the order of docs/architecture.md, so that no
 * two of them deadlock.
 */
import { expect, test } from 'vitest';
import { blockBefore, waitingStatements } from '../../../test/support/blocked-statements.ts';
import { newMobile, verifyMobile } from '../../../test/support/customer.ts';
import { newOrderingCustomer, newOrderingGuest, place, type OrderingCustomer } from '../../../test/support/ordering.ts';
import { TEST_SECRET, useProgram } from '../../../test/support/program.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { fail } from '../../contract/route.server.ts';
import { transaction } from '../../db/database.server.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { mobileNumberHash } from '../../security/tokens.server.ts';
import { addClaim } from '../claims/contract.ts';
import { answerDeskClaim } from '../claims/desk/contract.ts';
import { settleClaim } from '../claims/service.server.ts';
import { payOut } from '../customers/desk/contract.ts';
import { recordManualPaymentOnce } from '../manual-payments/service.server.ts';
import { orderError } from '../orders/contract.ts';
import { moveOrder, weighOrder } from '../orders/service.server.ts';
import { startPayment } from '../payments/contract.ts';
import { handleGatewayEvent } from '../payments/service.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { creditWallet } from '../wallet/service.server.ts';
import { readBalance } from '../wallet/store.server.ts';
import { ALL_LOSSES, eraseRows } from './service.server.ts';

const program = useProgram({ BOT_CHECK: 'off' });
const now = () => program.clock.now();
const DUE = asPaise(7600);

const erase = (id: string) =>
  transaction(program.db, (tx) =>
    eraseRows(tx, id, { accepted: ALL_LOSSES, scope: 'all-orders', hashMobile: mobileNumberHash(TEST_SECRET), now: now() }),
  );

/** An order in the queue, with a settled report. */
async function ordered(newCustomer: (at: typeof program) => Promise<OrderingCustomer> = newOrderingCustomer) {
  const customer = await newCustomer(program);
  const { orderid } = await place(customer, {}, { idempotencyKey: newId() });
  const claim = { userid: customer.userid, orderid, kind: 'late', message: 'It is late' } as const;
  const claimid = (await customer.caller.send(addClaim, claim)).data?.claimid ?? '';
  await settleClaim(program.db, { id: claimid, amountPaise: asPaise(0), message: 'We are sorry' }, now());
  await weighOrder(program.db, orderid, 2000, 8, now());
  await moveOrder(program.db, orderid, 'queue', now());
  return { ...customer, orderid, claimid };
}

async function deliverPaid(orderid: string) {
  const payment = { orderid, method: 'cash', amountPaise: DUE } as const;
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), payment, now()));
  for (const stage of ['washing', 'delivery', 'delivered'] as const)
    await moveOrder(program.db, orderid, stage, now(), { bonusTime: 'sign-up' });
}

/** Starts `write` while the erasure waits before a change of `table`. Returns both results. */
async function besideErasure(userid: string, table: string, write: () => Promise<unknown>) {
  const block = await blockBefore(program, 'update', table);
  const erasing = erase(userid);
  await block.reached();
  const writing = write().catch((error: unknown) => error);
  // A write that takes no lock ends here.
  await Promise.race([waitingStatements(program, 2), writing]);
  await block.release();
  return Promise.all([erasing, writing]);
}

test('an answer of the laundry to a settled report waits for the erasure, and is refused', async () => {
  const { userid, orderid, claimid } = await ordered();
  await deliverPaid(orderid);
  const { caller } = await newStaff(program, 'operator');
  const [, answered] = await besideErasure(userid, 'customers', () => caller.send(answerDeskClaim, { claimid, answer: 'It is here' }));
  expect(answered).toMatchObject({ status: 409, code: 'customer-erased' });
});

test('a payout waits for the erasure, and is refused', async () => {
  const { userid, mobile, orderid } = await ordered();
  await deliverPaid(orderid);
  const credit = { kind: 'compensation', amountPaise: DUE, reason: 'A test', reference: `test:${userid}` } as const;
  await creditWallet(program.db, { ...credit, customerId: userid, at: now() });
  const { caller } = await newStaff(program, 'owner');
  const body = { mobile, amount: DUE, reason: 'By UPI' };
  const [, paidBack] = await besideErasure(userid, 'customers', () => caller.send(payOut, body, { idempotencyKey: newId() }));
  expect(paidBack).toMatchObject({ code: 'customer-without-account' });
  // The customer has given the money up.
  expect(await readBalance(program.db, userid)).toBe(DUE);
});

test('a late payment of the gateway waits for the erasure, and is recorded without a credit', async () => {
  const { caller, userid, orderid } = await ordered();
  await caller.send(startPayment, { userid, orderid, method: 'gateway', amount: DUE });
  const rows = program.db.selectFrom('payments').select(['tid', 'gateway', 'reference', 'state']).where('method', '=', 'gateway');
  const read = () => rows.where('order_id', '=', orderid).executeTakeFirstOrThrow();
  const { tid, gateway, reference } = await read();
  await program.db.updateTable('payments').set({ state: 'failed', settled_at: now() }).where('tid', '=', tid).execute();
  await deliverPaid(orderid);
  const status = { state: 'received', amountPaise: DUE, transactionId: newId() } as const;
  const event = { eventId: newId(), event: 'paid', reference: reference ?? '', status };
  const dependencies = { db: program.db, payee: undefined, gateway: undefined, onFailure: () => {} };
  const [, handled] = await besideErasure(userid, 'customers', () => handleGatewayEvent(dependencies, gateway!, event, now()));
  expect(handled).toBeUndefined();
  expect(await read()).toMatchObject({ state: 'received' });
  expect(await readBalance(program.db, userid)).toBe(0);
});

test('a proof of another number in the browser of a guest waits for the erasure, and succeeds', async () => {
  const { caller, userid, orderid } = await ordered(newOrderingGuest);
  await deliverPaid(orderid);
  const [, proved] = await besideErasure(userid, 'claims', () => verifyMobile(program, caller, newMobile(), 'guest'));
  expect(proved).toBeUndefined();
});

test('a report about an order of a guest, who has proved another number since, waits for the erasure, and is refused', async () => {
  const { caller, userid, orderid } = await ordered(newOrderingGuest);
  await deliverPaid(orderid);
  await verifyMobile(program, caller, newMobile(), 'guest');
  const report = { orderid, kind: 'late', message: 'Behind the yellow temple' } as const;
  const [, reported] = await besideErasure(userid, 'customers', () => caller.send(addClaim, report));
  expect(reported).toEqual(fail(orderError('order-not-found', { orderid })));
  const claims = program.db.selectFrom('claims').select('status').where('order_id', '=', orderid);
  expect(await claims.execute()).toEqual([{ status: 'settled' }]);
});
