/** A customer copies and deletes the data of the account, each with a fresh code for its number. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Caller } from '../../../test/support/caller.ts';
import { newestCode, requestCode, signUpCustomer, verifyMobile } from '../../../test/support/customer.ts';
import { expectBalancedLedger } from '../../../test/support/ledger-audit.ts';
import { newOrderingGuest, place, placeOutForDelivery } from '../../../test/support/ordering.ts';
import { samplePhoto, uploadedPhoto } from '../../../test/support/photos.ts';
import { useProgram } from '../../../test/support/program.ts';
import { newCustomer, newSession, randomMobile, type TestCustomer } from '../../../test/support/seed-customers.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { unzip } from '../../../test/support/unzip.ts';
import { fail } from '../../contract/route.server.ts';
import { callPath, readEnvelope } from '../../contract/send.ts';
import { transaction } from '../../db/database.server.ts';
import { addSeconds, DAY_SECONDS } from '../../lib/clock.ts';
import { newId } from '../../lib/ids.ts';
import { asPaise } from '../../lib/money.ts';
import { lockCustomer } from '../accounts/store.server.ts';
import { addClaim } from '../claims/contract.ts';
import { settleClaim } from '../claims/service.server.ts';
import { recordManualPaymentOnce } from '../manual-payments/service.server.ts';
import { addOrderPhoto } from '../order-desk/desk/photos-contract.ts';
import { confirmUpi, dismissUpi } from '../order-desk/desk/upi-contract.ts';
import { getOrders } from '../orders/contract.ts';
import { moveOrder } from '../orders/service.server.ts';
import { reportPaid, startPayment } from '../payments/contract.ts';
import { folderStorage } from '../photos/providers/folder.server.ts';
import { deleteQueuedFiles } from '../photos/service.server.ts';
import { getUserDetails } from '../profile/contract.ts';
import { giveReferralBonus } from '../referrals/contract.ts';
import { confirmCode, RESEND_AFTER_SECONDS, verificationError } from '../verification/contract.ts';
import { creditWallet } from '../wallet/service.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';
import { links } from '../../shared/links.ts';
import { checkDeletion, DATA_COPY_PATH, deleteAccount, privacyError } from './contract.ts';
import { checkErasure } from './service.server.ts';

const photos = mkdtempSync(path.join(tmpdir(), 'dhulai-own-data-'));
const program = useProgram({ BOT_CHECK: 'off', PHOTO_DIR: photos });

/** The amount of an order of `placeOutForDelivery`. */
const DUE = asPaise(7600);

type Purpose = 'export' | 'deletion';

/** Where a browser is led that may not have the copy. */
const noCopy = { status: 303, location: links.dataCopy() };
async function copyOf(caller: Caller) {
  const { statusCode, headers, rawPayload } = await caller.get(DATA_COPY_PATH.slice(1));
  return statusCode === 200 ? unzip(rawPayload) : { status: statusCode, location: headers.location };
}
const filesOf = async (caller: Caller) => {
  const copy = await copyOf(caller);
  if (!(copy instanceof Map)) throw new Error(`no copy, but ${copy.status}`);
  return copy;
};
const NOT_CONFIRMED = { export: noCopy, deletion: fail(privacyError('code-not-confirmed')) } as const;
const use = async (purpose: Purpose, caller: Caller, userid: string) =>
  purpose === 'export' ? copyOf(caller) : caller.send(deleteAccount, { userid });
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
    expect(await use(purpose, caller, customer.userid)).toEqual(NOT_CONFIRMED[purpose]);
    expect(await rowOf(customer)).toEqual(before);
  });

  test('needs the session of the account, also after another browser confirmed the code', async () => {
    const customer = await newCustomer(program);
    const guest = await newSession(program, customer.userid, 'guest');
    const other = await newCustomer(program);
    for (const caller of [program.caller(), guest, other.caller]) {
      program.clock.advance(DAY_SECONDS / 8);
      await verifyMobile(program, caller, customer.mobile, purpose);
      if (purpose === 'export') expect(await copyOf(caller)).toEqual(noCopy);
      else await expect(use(purpose, caller, customer.userid)).rejects.toMatchObject({ status: 401 });
    }
    // The account of the session counts, and not the number of the code.
    expect(await use(purpose, other.caller, other.userid)).toEqual(NOT_CONFIRMED[purpose]);
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

test('a link on a page of another site uses no code up', async () => {
  const customer = await newCustomer(program);
  await confirm(customer, 'export');
  const { statusCode, headers } = await customer.caller.get(DATA_COPY_PATH.slice(1), { 'sec-fetch-site': 'cross-site' });
  expect({ status: statusCode, location: headers.location }).toEqual(noCopy);
  expect([...(await filesOf(customer.caller)).keys()]).toContain('my-data.json');
});

test('of many copies that one customer requests at once, few read anything', async () => {
  const customer = await newCustomer(program);
  await confirm(customer, 'export');
  const responses = await Promise.all(Array.from({ length: 20 }, () => customer.caller.get(DATA_COPY_PATH.slice(1))));
  const statuses = responses.map(({ statusCode }) => statusCode);
  expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  // A request that arrives after the copy is read is not refused: its code is used up. Few do.
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(10);
});

test('a customer gets the copy once for a code, with nothing of another customer', async () => {
  const customer = await newCustomer(program, { name: 'Zubeida' });
  const other = await newCustomer(program, { name: 'Yasmin' });
  const orderid = await placeOutForDelivery(program, customer);
  await placeOutForDelivery(program, other);
  await confirm(customer, 'export');
  const { caller, userid, mobile } = customer;
  expect((await caller.request('HEAD', DATA_COPY_PATH.slice(1))).statusCode).toBe(405);
  const text = (await filesOf(caller)).get('my-data.json')?.toString() ?? '';
  expect(JSON.parse(text)).toMatchObject({ customer: { id: userid, mobile, name: 'Zubeida' }, orders: [{ id: orderid }] });
  for (const secret of ['Yasmin', other.userid, other.mobile, 'password', 'hash']) expect(text).not.toContain(secret);
  expect(await copyOf(caller)).toEqual(noCopy);
});

test('the copy contains the messages with codes, without the codes', async () => {
  const customer = await newCustomer(program);
  const { caller, mobile } = customer;
  await requestCode(caller, mobile, 'deletion');
  program.clock.advance(RESEND_AFTER_SECONDS);
  await confirm(customer, 'export');
  const { messages } = JSON.parse((await filesOf(caller)).get('my-data.json')?.toString() ?? '') as { messages: { text: string }[] };
  const text = expect.stringMatching(/^\(code left out\) is your Dhulai verification code\.\D*10 minutes\.\D*$/);
  expect(messages).toEqual([expect.objectContaining({ text }), expect.objectContaining({ text })]);
});

test('the copy contains the photos of reports and of the clothes, and of no other customer', async () => {
  const customer = await newCustomer(program);
  const other = await newCustomer(program);
  const { caller } = customer;
  const orderid = await placeOutForDelivery(program, customer);
  const otherOrder = await placeOutForDelivery(program, other);
  const report = async (of: TestCustomer, id: string, photo: string) => {
    const claim = { userid: of.userid, orderid: id, kind: 'missing' as const, message: 'A sock is missing', photos: [photo] };
    return (await of.caller.send(addClaim, claim)).data?.claimid ?? '';
  };
  const sent = await uploadedPhoto(caller, samplePhoto('jpeg'));
  const claimid = await report(customer, orderid, sent);
  const unsent = await uploadedPhoto(caller, samplePhoto('png'));
  await report(other, otherOrder, await uploadedPhoto(other.caller, samplePhoto('jpeg')));
  const { caller: operator } = await newStaff(program, 'operator');
  const ofScale = async (id: string) => {
    const route = callPath(addOrderPhoto, { orderid: id, kind: 'weigh' }).slice(1);
    const response = await operator.request('POST', route, samplePhoto('jpeg'), {
      'content-type': 'image/jpeg',
      'idempotency-key': newId(),
    });
    return readEnvelope(addOrderPhoto, response.statusCode, response.json()).data?.photoid ?? '';
  };
  const scale = await ofScale(orderid);
  await ofScale(otherOrder);
  const lost = await uploadedPhoto(caller, samplePhoto('webp'));
  rmSync(path.join(photos, lost));

  await confirm(customer, 'export');
  const files = await filesOf(caller);
  const names = [`photos/report-${claimid}-${sent}.jpeg`, `photos/not-sent-${unsent}.png`, `photos/order-${orderid}-weigh-${scale}.jpeg`];
  expect([...files.keys()].toSorted()).toEqual(['my-data.json', ...names].toSorted());
  for (const [index, id] of [sent, unsent, scale].entries()) {
    expect(files.get(names[index] ?? '')).toEqual(readFileSync(path.join(photos, id)));
  }
});

test('a copy that the storage interrupts uses no code up', async () => {
  const customer = await newCustomer(program);
  const { caller } = customer;
  const photo = await uploadedPhoto(caller, samplePhoto('jpeg'));
  const file = path.join(photos, photo);
  const content = readFileSync(file);
  // A folder in place of the file cannot be read like a file.
  rmSync(file);
  mkdirSync(file);
  await confirm(customer, 'export');
  program.log.length = 0;
  await expect(copyOf(caller)).rejects.toThrow();
  expect(program.log.join('')).toContain('sending a copy of the data failed');
  rmSync(file, { recursive: true });
  writeFileSync(file, content);
  expect([...(await filesOf(caller)).keys()]).toEqual(['my-data.json', `photos/not-sent-${photo}.jpeg`]);
  expect(await copyOf(caller)).toEqual(noCopy);
});

let listening: Promise<string> | undefined;

/** Listens, for downloads that are read in part. */
async function listenForDownloads() {
  listening ??= program.app.listen({ port: 0, host: '127.0.0.1' });
  const address = await listening;
  /** A customer with a code and a photo that is larger than the buffers of a connection. */
  const newReader = async () => {
    const customer = await newCustomer(program);
    const photo = await uploadedPhoto(customer.caller, samplePhoto('jpeg'));
    writeFileSync(path.join(photos, photo), Buffer.alloc(32 * 1024 * 1024));
    await confirm(customer, 'export');
    return customer;
  };
  const download = ({ caller }: TestCustomer) => {
    const cookie = [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return new Promise<IncomingMessage>((resolve, reject) => {
      httpGet(`${address}${DATA_COPY_PATH}`, { headers: { cookie } }, resolve).on('error', reject);
    });
  };
  return { newReader, download };
}

test('four downloads that are not read do not keep a fifth customer from the copy', { timeout: 60_000 }, async () => {
  const { newReader, download } = await listenForDownloads();
  const stalled = await Promise.all(Array.from({ length: 4 }, async () => download(await newReader())));
  const closed = new Promise((resolve) => stalled.forEach((response) => response.on('error', () => {}).on('close', resolve)));
  const fifth = await newReader();
  expect(stalled.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
  expect((await download(fifth)).statusCode).toBe(503);
  // 32 MB at 50 kB/s would take longer.
  program.clock.advance(10 * 60 - 1);
  const copy = await download(fifth);
  expect(copy.statusCode).toBe(200);
  expect((await buffer(copy)).length).toBeGreaterThan(32 * 1024 * 1024);
  for (const response of stalled) response.resume();
  await closed;
  expect(stalled.filter(({ complete }) => !complete).length).toBeGreaterThan(0);
});

test('four downloads that begin again do not keep a fifth customer from the copy', { timeout: 60_000 }, async () => {
  const { newReader, download } = await listenForDownloads();
  const readers = await Promise.all(Array.from({ length: 4 }, newReader));
  for (const reader of readers) (await download(reader)).destroy();
  const isUp = async (reader: TestCustomer) => {
    const response = await download(reader);
    response.on('error', () => {});
    return response.statusCode === 200;
  };
  // The place of an interrupted download is free once its end was noticed.
  for (const reader of readers) await expect.poll(() => isUp(reader), { timeout: 20_000 }).toBe(true);
  const copy = await download(await newReader());
  expect(copy.statusCode).toBe(200);
  expect((await buffer(copy)).length).toBeGreaterThan(32 * 1024 * 1024);
  const [first] = readers;
  await expect.poll(async () => (await download(first!)).statusCode, { timeout: 20_000 }).toBe(429);
});

/** Reads faster than a slow download within the next minutes, and stops before the end. */
const readPart = (response: IncomingMessage) =>
  new Promise<IncomingMessage>((resolve) => {
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > 12 * 1024 * 1024) resolve(response.off('data', count).pause());
    };
    response.on('error', () => {}).on('data', count);
  });

test('the longest of four downloads gives way to a customer without one in this hour', { timeout: 60_000 }, async () => {
  const { newReader, download } = await listenForDownloads();
  // Attempts are counted by hours in Asia/Kolkata, which begin at half past in UTC.
  program.clock.advance(60 * 60 - ((program.clock.now().getTime() / 1000 + 30 * 60) % (60 * 60)));
  const repeating = await newReader();
  await buffer(await download(repeating));
  program.clock.advance(RESEND_AFTER_SECONDS);
  await confirm(repeating, 'export');
  const responses: IncomingMessage[] = [];
  for (let count = 0; count < 4; count += 1) {
    const response = await download(await newReader());
    expect(response.statusCode).toBe(200);
    responses.push(await readPart(response));
    program.clock.advance(1);
  }
  const ends = responses.map((response) => new Promise((resolve) => response.on('close', () => resolve(response.complete))));
  const newcomer = await newReader();
  program.clock.advance(56);
  // The first has run for 60 seconds.
  expect((await download(newcomer)).statusCode).toBe(503);
  program.clock.advance(2);
  expect((await download(repeating)).statusCode).toBe(503);
  const copy = await download(newcomer);
  expect(copy.statusCode).toBe(200);
  expect((await buffer(copy)).length).toBeGreaterThan(32 * 1024 * 1024);
  for (const response of responses) response.resume();
  expect(await Promise.all(ends)).toEqual([false, true, true, true]);
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
  await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
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
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), paid, program.clock.now()));

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

test.each(['confirmed', 'dismissed'] as const)('a reported UPI payment is an obstacle until it is %s', async (end) => {
  const customer = await newCustomer(program);
  const { caller, userid } = customer;
  const orderid = await placeOutForDelivery(program, customer);
  const started = await caller.send(startPayment, { userid, orderid, method: 'upi', amount: DUE });
  const { tid = '', url = '' } = started.data ?? {};
  await caller.send(reportPaid, { userid, orderid, tid });
  const cash = { orderid, method: 'cash', amountPaise: DUE } as const;
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), cash, program.clock.now()));
  await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
  await confirm(customer, 'deletion');
  const obstacles = [{ kind: 'upi-payment-reported', orderids: [orderid], guest_orders: 0 }];
  expect(await check(customer)).toEqual({ obstacles, loss: 0 });
  expect(await remove(customer)).toEqual(fail(privacyError('upi-payment-reported')));

  const owner = await newStaff(program, 'owner');
  const reference = /[?&]tr=([^&]+)/.exec(url)?.[1] ?? '';
  const option = { idempotencyKey: newId() };
  const ended =
    end === 'confirmed'
      ? owner.caller.send(confirmUpi, { orderid, reference }, option)
      : owner.caller.send(dismissUpi, { orderid, reference, reason: 'Not on the statement' }, option);
  expect(await ended).toMatchObject({ response: 'success' });
  const loss = end === 'confirmed' ? DUE : asPaise(0);
  expect(await check(customer)).toEqual({ obstacles: [], loss });
  expect(await remove(customer, loss)).toMatchObject({ response: 'success' });
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

test('a delivered guest order that is not paid is an obstacle while the number proves it', async () => {
  const customer = await newCustomer(program);
  const orderid = await placeOutForDelivery(program, customer);
  await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
  await program.db
    .updateTable('orders')
    .set({ guest_session_hash: Buffer.alloc(32, 1) })
    .where('id', '=', orderid)
    .execute();
  await confirm(customer, 'deletion');
  expect(await check(customer)).toMatchObject({ obstacles: [{ kind: 'orders-unpaid', orderids: [], guest_orders: 1 }] });
  expect(await remove(customer)).toEqual(fail(privacyError('orders-unpaid')));
});

test('a deletion that an obstacle refuses waits for no lock of the customer', async () => {
  const customer = await newCustomer(program);
  await placeOutForDelivery(program, customer);
  await confirm(customer, 'deletion');
  await transaction(program.db, async (tx) => {
    await lockCustomer(tx, customer.userid, 'update');
    expect(await remove(customer)).toEqual(fail(privacyError('orders-open')));
  });
});

test('the obstacles of a deletion take as many queries for several guest orders as for one', async () => {
  const guest = await newOrderingGuest(program);
  let queries = 0;
  const counted = program.db.withPlugin({
    transformQuery: ({ node }) => {
      queries += 1;
      return node;
    },
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const countQueries = async () => {
    queries = 0;
    await transaction(counted, (tx) => checkErasure(tx, guest.userid, { scope: 'all-orders', now: program.clock.now() }));
    return queries;
  };
  await place(guest, {}, { idempotencyKey: newId() });
  const forOne = await countQueries();
  // The counter works. The number of queries may change.
  expect(forOne).toBeGreaterThan(3);
  for (let more = 0; more < 3; more += 1) await place(guest, {}, { idempotencyKey: newId() });
  expect(await countQueries()).toBe(forOne);
});

test('of many checks and deletions that one customer requests at once, few read anything', async () => {
  const { caller, userid } = await newCustomer(program);
  const requests = Array.from({ length: 20 }, (_, index) => caller.post((index % 2 ? checkDeletion : deleteAccount).path, { userid }));
  const statuses = (await Promise.all(requests)).map(({ statusCode }) => statusCode);
  // One runs and two wait, as long as all twenty arrive before the first has ended. Few do not.
  const countOf = (expected: number) => statuses.filter((status) => status === expected).length;
  expect(countOf(200) + countOf(429)).toBe(20);
  expect(countOf(200)).toBeGreaterThanOrEqual(3);
  expect(countOf(429)).toBeGreaterThanOrEqual(10);
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

test('an account whose photo the storage does not delete is deleted, and a job deletes the photo later', async () => {
  const customer = await newCustomer(program);
  const photo = await uploadedPhoto(customer.caller, samplePhoto('jpeg'));
  // A folder in place of the file cannot be deleted like a file.
  rmSync(path.join(photos, photo));
  mkdirSync(path.join(photos, photo));
  await confirm(customer, 'deletion');
  program.log.length = 0;
  expect(await remove(customer)).toMatchObject({ response: 'success' });
  expect((await rowOf(customer)).mobile).toMatch(/^0/);
  await expect.poll(() => program.log.join('')).toContain('deleting photos failed');
  rmdirSync(path.join(photos, photo));
  writeFileSync(path.join(photos, photo), 'a photo');
  const later = addSeconds(program.clock.now(), 60 * 60);
  await deleteQueuedFiles({ db: program.db, storage: folderStorage(photos) }, { now: later, signal: new AbortController().signal });
  expect(existsSync(path.join(photos, photo))).toBe(false);
});

test('a number that signs up again after a deletion earns no further referral bonus', async () => {
  const referrer = await signUpCustomer(program);
  const walletOf = async () => (await referrer.caller.send(getUserDetails, {})).data?.wallet;
  const mobile = randomMobile();
  for (let cycle = 0; cycle < 2; cycle += 1) {
    const friend = await signUpCustomer(program, { mobile, referral: referrer.mobile });
    const bonus = await friend.caller.send(giveReferralBonus, { mob: referrer.mobile, newuser: mobile });
    expect(bonus.response).toBe(cycle === 0 ? 'success' : 'error');
    program.clock.advance(31);
    await confirm(friend, 'deletion');
    expect(await remove(friend)).toMatchObject({ response: 'success' });
    program.clock.advance(31);
  }
  expect(await walletOf()).toBe(5000);
});

test.each(['signup', 'guest', 'reset'] as const)('no code for %s reaches the pseudonym of a deleted account', async (purpose) => {
  const customer = await newCustomer(program);
  await confirm(customer, 'deletion');
  expect(await remove(customer)).toMatchObject({ response: 'success' });
  const { mobile } = await rowOf(customer);
  expect(await requestCode(program.caller(), mobile, purpose)).toEqual(fail(verificationError('sms-not-sent', { mobile })));
});
