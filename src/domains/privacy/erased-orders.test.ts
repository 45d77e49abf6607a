/** Changes that the staff sends about a customer after the erasure. */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newKey } from '../../../test/support/caller.ts';
import { verifyMobile } from '../../../test/support/customer.ts';
import { placeOutForDelivery } from '../../../test/support/ordering.ts';
import { samplePhoto } from '../../../test/support/photos.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newCustomer } from '../../../test/support/seed-customers.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { callPath, readEnvelope } from '../../contract/send.ts';
import { transaction } from '../../db/database.server.ts';
import { migrations } from '../../db/migrations.server.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { addClaim } from '../claims/contract.ts';
import { answerDeskClaim } from '../claims/desk/contract.ts';
import { settleClaim } from '../claims/service.server.ts';
import { reverse } from '../customers/desk/contract.ts';
import { recordManualPaymentOnce } from '../manual-payments/service.server.ts';
import { getBoard } from '../order-desk/desk/board-contract.ts';
import { attempt, cancelDeskOrder, getDeskOrder, move, moveBack, receive, reversePayment } from '../order-desk/desk/contract.ts';
import { assign } from '../order-desk/desk/riders-contract.ts';
import { addOrderPhoto } from '../order-desk/desk/photos-contract.ts';
import { moveOrder } from '../orders/service.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { creditWallet } from '../wallet/service.server.ts';
import { findEntry } from '../wallet/store.server.ts';
import { deleteAccount } from './contract.ts';

const program = useProgram({ BOT_CHECK: 'off' });

const WORDS = 'Asked for by Zubeida of Quetzal Towers';
const DUE = asPaise(7600);

/** An owner, and a delivered and paid order whose customer has deleted the account. */
async function newErased() {
  const customer = await newCustomer(program);
  const { caller, userid, mobile } = customer;
  const orderid = await placeOutForDelivery(program, customer);
  const claim = { userid, orderid, kind: 'missing', message: 'A sock is missing' } as const;
  const claimid = (await caller.send(addClaim, claim)).data?.claimid ?? '';
  const { db, clock } = program;
  await settleClaim(db, { id: claimid, message: 'Settled', amountPaise: asPaise(0) }, clock.now());
  await transaction(db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), { orderid, method: 'cash', amountPaise: DUE }, clock.now()));
  await moveOrder(db, orderid, 'delivered', clock.now(), { bonusTime: 'sign-up' });
  const reference = `grant:${newId()}`;
  const credit = { customerId: userid, kind: 'promotion', amountPaise: asPaise(100), reason: 'A welcome', reference } as const;
  await creditWallet(db, { ...credit, at: clock.now() });
  await verifyMobile(program, caller, mobile, 'deletion');
  expect(await caller.send(deleteAccount, { userid, gives_up: asPaise(100) })).toMatchObject({ response: 'success' });
  const owner = await newStaff(program, 'owner');
  const order = (await owner.caller.send(getDeskOrder, { orderid })).data;
  const tid = order?.payments[0]?.tid ?? '';
  const entryid = (await findEntry(db, { reference }))?.id ?? '';
  return { userid, claimid, tid, entryid, staff: owner.caller, change: { orderid, version: order?.version ?? 0 } };
}

type Erased = Awaited<ReturnType<typeof newErased>>;

const writes: Record<string, (erased: Erased) => Promise<unknown>> = {
  'a photo': async ({ staff, change: { orderid } }) => {
    const path = callPath(addOrderPhoto, { orderid, kind: 'hand-over' }).slice(1);
    const response = await staff.request('POST', path, samplePhoto('jpeg'), { 'content-type': 'image/jpeg' });
    return readEnvelope(addOrderPhoto, response.statusCode, response.json());
  },
  'a move back': ({ staff, change }) => staff.send(moveBack, { ...change, reason: WORDS }, newKey()),
  'a cancellation': ({ staff, change }) => staff.send(cancelDeskOrder, { ...change, reason: WORDS }, newKey()),
  'a failed visit': ({ staff, change }) => staff.send(attempt, { ...change, why: 'nobody-home', note: WORDS }, newKey()),
  'a rider': ({ staff, change }) => staff.send(assign, { ...change, rider: null }, newKey()),
  'a payment': ({ staff, change: { orderid } }) =>
    staff.send(receive, { orderid, method: 'cash', amount: DUE, overpaid: true, note: WORDS }, newKey()),
  'a reversal of a payment': ({ staff, tid }) => staff.send(reversePayment, { tid, reason: WORDS }, newKey()),
  'a reversal of a credit': ({ staff, entryid }) => staff.send(reverse, { entryid, reason: WORDS }, newKey()),
  'an answer to a report': ({ staff, claimid }) => staff.send(answerDeskClaim, { claimid, answer: WORDS }, newKey()),
};

async function stored({ change: { orderid }, claimid, userid }: Erased) {
  const { db } = program;
  return {
    order: await db.selectFrom('orders').selectAll().where('id', '=', orderid).execute(),
    events: await db.selectFrom('order_events').selectAll().where('order_id', '=', orderid).execute(),
    photos: await db.selectFrom('order_photos').selectAll().where('order_id', '=', orderid).execute(),
    payments: await db.selectFrom('payments').selectAll().where('order_id', '=', orderid).execute(),
    messages: await db.selectFrom('claim_messages').selectAll().where('claim_id', '=', claimid).execute(),
    wallet: await db.selectFrom('ledger_accounts').selectAll().where('customer_id', '=', userid).execute(),
  };
}

test.each(Object.entries(writes))('%s is refused after the customer was erased, and nothing is stored', async (_name, write) => {
  const erased = await newErased();
  const before = await stored(erased);
  await expect(write(erased)).rejects.toMatchObject({ status: 409, code: 'customer-erased' });
  expect(await stored(erased)).toEqual(before);
});

test('bags that differ are no task after the erasure, which no explanation could end', async () => {
  const customer = await newCustomer(program);
  const orderid = await placeOutForDelivery(program, customer);
  const { caller } = await newStaff(program, 'operator');
  const version = async () => (await caller.send(getDeskOrder, { orderid })).data?.version ?? 0;
  await program.db.insertInto('order_handling').values({ order_id: orderid, bags: 2 }).execute();
  await caller.send(move, { orderid, version: await version(), stage: 'delivered', reason: 'The guard took them', bags: 1 });
  await caller.send(receive, { orderid, method: 'cash', amount: DUE }, newKey());
  const tasks = async () => (await caller.send(getBoard, {})).data?.bags_differ.map((order) => order.orderid);
  expect(await tasks()).toContain(orderid);
  const migration = migrations.find(({ sql: text }) => text.includes('delete from unexplained_bags'))?.sql ?? '';
  await sql.raw(migration).execute(program.db);
  expect(await tasks()).toContain(orderid);
  program.clock.advance(120);
  await verifyMobile(program, customer.caller, customer.mobile, 'deletion');
  expect(await customer.caller.send(deleteAccount, { userid: customer.userid, gives_up: asPaise(0) })).toMatchObject({
    response: 'success',
  });
  expect(await tasks()).not.toContain(orderid);
  // A process of the version before leaves the row.
  await program.db.insertInto('unexplained_bags').values({ order_id: orderid }).execute();
  await sql.raw(migration).execute(program.db);
  expect(await tasks()).not.toContain(orderid);
});

test('no credit reaches the wallet of an erased customer', async () => {
  const { userid } = await newErased();
  const credit = { customerId: userid, kind: 'promotion', amountPaise: asPaise(100), reason: WORDS, reference: newId() } as const;
  const crediting = creditWallet(program.db, { ...credit, at: program.clock.now() });
  await expect(crediting).rejects.toMatchObject({ kind: 'conflict', code: 'customer-erased' });
});
