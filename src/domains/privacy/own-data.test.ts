/** A customer copies and deletes the data of the account, each with a fresh code for its number. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../test/support/caller.ts';
import { newestCode, requestCode, signUpCustomer, verifyMobile } from '../../../test/support/customer.ts';
import { expectBalancedLedger } from '../../../test/support/ledger-audit.ts';
import { placeOutForDelivery } from '../../../test/support/ordering.ts';
import { samplePhoto, uploadedPhoto } from '../../../test/support/photos.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newCustomer, newSession, randomMobile, type TestCustomer } from '../../../test/support/seed-customers.ts';
import { fail } from '../../contract/route.server.ts';
import { transaction } from '../../db/database.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { asPaise } from '../../lib/money.ts';
import { addClaim } from '../claims/contract.ts';
import { settleClaim } from '../claims/service.server.ts';
import { recordManualPayment } from '../manual-payments/service.server.ts';
import { getOrders } from '../orders/contract.ts';
import { moveOrder } from '../orders/service.server.ts';
import { startPayment } from '../payments/contract.ts';
import { getUserDetails } from '../profile/contract.ts';
import { confirmCode, verificationError } from '../verification/contract.ts';
import { creditWallet } from '../wallet/service.server.ts';
import { checkDeletion, deleteAccount, exportData, privacyError } from './contract.ts';

const photos = mkdtempSync(path.join(tmpdir(), 'dhulai-own-data-'));
const program = useProgram({ BOT_CHECK: 'off', PHOTO_DIR: photos });

/** The amount of an order of `placeOutForDelivery`. */
const DUE = asPaise(7600);

type Purpose = 'export' | 'deletion';

const CALLS = { export: exportData, deletion: deleteAccount } as const;
const use = (purpose: Purpose, caller: Caller, userid: string) => caller.send(CALLS[purpose], { userid });
const confirm = ({ caller, mobile }: TestCustomer, purpose: Purpose) => verifyMobile(program, caller, mobile, purpose);
const remove = ({ caller, userid }: TestCustomer, givesUp = asPaise(0)) => caller.send(deleteAccount, { userid, gives_up: givesUp });
const check = async ({ caller, userid }: TestCustomer) => (await caller.send(checkDeletion, { userid })).data;
const rowOf = ({ userid }: TestCustomer) =>
  program.db.selectFrom('customers').selectAll().where('id', '=', userid).executeTakeFirstOrThrow();
const credit = (customerId: string, amountPaise: number) => {
  const at = program.clock.now();
  const promotion = {
    kind: 'promotion',
    amountPaise: asPaise(amountPaise),
    reason: 'A test',
    reference: `test:${customerId}:${amountPaise}`,
  } as const;
  return creditWallet(program.db, { ...promotion, customerId, at });
};

/** Ways to come to the calls without a right to them, and what they return. */
const refusals: Record<string, (customer: TestCustomer, purpose: Purpose) => Promise<Caller>> = {
  'no code': async ({ caller }) => caller,
  'a wrong code': async ({ caller, mobile }, purpose) => {
    await requestCode(caller, mobile, purpose);
    const wrong = (await newestCode(program, mobile)) === '000000' ? '111111' : '000000';
    expect(await caller.send(confirmCode, { mobile, purpose, code: wrong })).toEqual(fail(verificationError('wrong-code')));
    return caller;
  },
  'the code of the other call': async (customer, purpose) => {
    await confirm(customer, purpose === 'export' ? 'deletion' : 'export');
    return customer.caller;
  },
  'a code for a new password': async ({ caller, mobile }) => {
    await verifyMobile(program, caller, mobile, 'reset');
    return caller;
  },
  'a code for another number': async ({ caller }, purpose) => {
    await verifyMobile(program, caller, randomMobile(), purpose);
    return caller;
  },
  'a code that another browser has confirmed': async ({ caller, mobile }, purpose) => {
    await verifyMobile(program, program.caller(), mobile, purpose);
    return caller;
  },
  'a code of eleven minutes ago': async (customer, purpose) => {
    await confirm(customer, purpose);
    program.clock.advance(11 * 60);
    return customer.caller;
  },
};

describe.each(['export', 'deletion'] as const)('%s', (purpose) => {
  test.each(Object.entries(refusals))('changes and returns nothing with %s', async (_name, reach) => {
    const customer = await newCustomer(program);
    const before = await rowOf(customer);
    const caller = await reach(customer, purpose);
    expect(await use(purpose, caller, customer.userid)).toEqual(fail(privacyError('code-not-confirmed')));
    expect(await rowOf(customer)).toEqual(before);
  });

  test('needs the session of the account, whoever has confirmed the code', async () => {
    const customer = await newCustomer(program);
    const guest = await newSession(program, customer.userid, 'guest');
    const other = await newCustomer(program);
    for (const caller of [program.caller(), guest, other.caller]) {
      program.clock.advance(DAY_SECONDS / 8);
      await verifyMobile(program, caller, customer.mobile, purpose);
      await expect(use(purpose, caller, customer.userid)).rejects.toMatchObject({ status: 401 });
    }
    // The account of the session counts, and not the number of the code.
    expect(await use(purpose, other.caller, other.userid)).toEqual(fail(privacyError('code-not-confirmed')));
    expect((await rowOf(customer)).mobile).toBe(customer.mobile);
  });
});

test('a code takes three guesses', async () => {
  const { caller, mobile } = await newCustomer(program);
  await requestCode(caller, mobile, 'deletion');
  const code = await newestCode(program, mobile);
  const guess = (digits: string) => caller.send(confirmCode, { mobile, purpose: 'deletion', code: digits });
  for (let tries = 0; tries < 3; tries += 1)
    expect(await guess(code === '000000' ? '111111' : '000000')).toMatchObject({ response: 'error' });
  expect(await guess(code)).toMatchObject({ response: 'error' });
});

test('a customer gets the copy once for a code, with nothing of another customer', async () => {
  const customer = await newCustomer(program, { name: 'Zubeida' });
  const other = await newCustomer(program, { name: 'Yasmin' });
  const orderid = await placeOutForDelivery(program, customer);
  await placeOutForDelivery(program, other);
  await confirm(customer, 'export');
  const { caller, userid, mobile } = customer;
  const exported = await caller.send(exportData, { userid });
  expect(exported.data?.copy).toMatchObject({ customer: { id: userid, mobile, name: 'Zubeida' }, orders: [{ id: orderid }] });
  const text = JSON.stringify(exported);
  for (const secret of ['Yasmin', other.userid, other.mobile, 'password', 'hash']) expect(text).not.toContain(secret);
  expect(await caller.send(exportData, { userid })).toEqual(fail(privacyError('code-not-confirmed')));
});

test('each obstacle refuses the deletion and leaves the code; then it succeeds once', async () => {
  const customer = await newCustomer(program);
  const { caller, userid } = customer;
  const orderid = await placeOutForDelivery(program, customer);
  await caller.send(startPayment, { userid, orderid, method: 'gateway', amount: DUE });
  const claim = { userid, orderid, kind: 'missing', message: 'A sock is missing' } as const;
  const claimid = (await caller.send(addClaim, claim)).data?.claimid ?? '';
  await credit(userid, 7000);
  await confirm(customer, 'deletion');
  const before = await rowOf(customer);
  const refused = async (...codes: string[]) => {
    const obstacles = codes.map((kind) => ({ kind, orderids: [orderid], guest_orders: 0 }));
    expect(await check(customer)).toEqual({ obstacles, loss: 7000 });
    expect(await remove(customer, asPaise(7000))).toMatchObject({ response: 'error', code: codes[0], data: null });
    expect(await rowOf(customer)).toEqual(before);
  };

  await refused('orders-open', 'reports-open', 'gateway-payment-pending');
  await moveOrder(program.db, orderid, 'delivered', program.clock.now());
  await refused('reports-open', 'gateway-payment-pending', 'orders-unpaid');
  await settleClaim(program.db, { id: claimid, message: 'Settled', amountPaise: asPaise(0) }, program.clock.now());
  await refused('gateway-payment-pending', 'orders-unpaid');
  await program.db
    .updateTable('payments')
    .set({ state: 'failed', settled_at: program.clock.now() })
    .where('order_id', '=', orderid)
    .execute();
  await refused('orders-unpaid');
  const paid = { orderid, method: 'cash', amountPaise: DUE } as const;
  await transaction(program.db, (tx) => recordManualPayment(tx, paid, program.clock.now()));

  const mayLose = async (loss: string) =>
    expect(await remove(customer, asPaise(6999))).toEqual(fail(privacyError('wallet-not-empty', { amount: loss })));
  await mayLose('70');
  await credit(userid, 50);
  // Money that came after the customer agreed to lose the rest.
  await mayLose('70.50');
  const [first, second] = await Promise.allSettled([remove(customer, asPaise(7050)), remove(customer, asPaise(7050))]);
  const outcomes = [first, second].map((result) => (result.status === 'fulfilled' ? result.value.response : 'rejected'));
  expect(outcomes.filter((outcome) => outcome === 'success')).toHaveLength(1);
  expect(await rowOf(customer)).toMatchObject({ name: null, password_hash: null, mobile: expect.stringMatching(/^0/) });
  await expectBalancedLedger(program.connection);
});

test('names orders that only a guest can see as a number', async () => {
  const customer = await newCustomer(program);
  const orderid = await placeOutForDelivery(program, customer);
  await program.db
    .updateTable('orders')
    .set({ guest_session_hash: Buffer.alloc(32) })
    .where('id', '=', orderid)
    .execute();
  expect(await check(customer)).toMatchObject({ obstacles: [{ kind: 'orders-open', orderids: [], guest_orders: 1 }] });
});

test('a deletion ends every session and the cookies, and its log line has no number', async () => {
  const customer = await signUpCustomer(program, { name: 'Zubeida' });
  const { caller, userid, mobile } = customer;
  const device = await newSession(program, userid, 'customer');
  const guest = await newSession(program, userid, 'guest');
  program.clock.advance(31);
  await confirm(customer, 'deletion');
  expect([...caller.cookies.keys()].toSorted()).toEqual(['browser', 'device', 'session', 'signed_in']);
  program.log.length = 0;
  expect(await remove(customer)).toMatchObject({ response: 'success', message: 'Your account is deleted', data: null });
  expect([...caller.cookies.keys()]).toEqual([]);
  for (const ended of [caller, device]) await expect(ended.send(getUserDetails, {})).rejects.toMatchObject({ status: 401 });
  await expect(guest.send(getOrders, {})).rejects.toMatchObject({ status: 401 });
  const log = program.log.join('');
  expect(log).toContain(`"customer":"${userid}"`);
  expect(log).not.toContain(mobile);
  // The number can sign up again, as another customer.
  program.clock.advance(31);
  expect((await signUpCustomer(program, { mobile, caller })).userid).not.toBe(userid);
});

test('an account whose photo the storage does not delete is deleted, and the log names the photo', async () => {
  const customer = await newCustomer(program);
  const photo = await uploadedPhoto(customer.caller, samplePhoto('jpeg'));
  // A folder in place of the file cannot be deleted like a file.
  rmSync(path.join(photos, photo));
  mkdirSync(path.join(photos, photo));
  await confirm(customer, 'deletion');
  program.log.length = 0;
  expect(await remove(customer)).toMatchObject({ response: 'success' });
  expect((await rowOf(customer)).mobile).toMatch(/^0/);
  expect(program.log.join('')).toContain(`"photos":["${photo}"]`);
});
