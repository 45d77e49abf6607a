/** The export and the erasure of a customer's data, compared with every row of the database. */
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { runShared, runWith } from '../../../test/launch/run-tool.ts';
import { newKey } from '../../../test/support/caller.ts';
import { newMobile, PASSWORD, requestCode, signUpCustomer, verifyMobile } from '../../../test/support/customer.ts';
import { home, moveOutForDelivery, newOrderingCustomer, place, washInManesar } from '../../../test/support/ordering.ts';
import { callPath } from '../../contract/send.ts';
import { addOrderPhoto } from '../order-desk/desk/photos-contract.ts';
import { samplePhoto, uploadedPhoto } from '../../../test/support/photos.ts';
import { urlOf } from '../../../test/support/postgres.ts';
import { TEST_SECRET, useProgram } from '../../../test/support/program.ts';
import { newGuest } from '../../../test/support/seed-customers.ts';
import { newStaff } from '../../../test/support/staff.ts';
import { transaction } from '../../db/database.server.ts';
import { DAY_SECONDS } from '../../lib/clock.ts';
import { asPaise } from '../../lib/money.ts';
import { login } from '../accounts/contract.ts';
import { addAddress } from '../addresses/contract.ts';
import { addClaim, addReply } from '../claims/contract.ts';
import { answerClaim, settleClaim } from '../claims/service.server.ts';
import { recordManualPaymentOnce } from '../manual-payments/service.server.ts';
import { addOrder } from '../orders/contract.ts';
import { attempt, cancelDeskOrder, getDeskOrder, listOrders, moveBack, receive, reversePayment } from '../order-desk/desk/contract.ts';
import { moveOrder } from '../orders/service.server.ts';
import { getDeskCustomer, grant, reverse } from '../customers/desk/contract.ts';
import { addReview } from '../reviews/contract.ts';
import { moderateReview } from '../reviews/desk/contract.ts';
import { RESEND_AFTER_SECONDS } from '../verification/contract.ts';
import { creditWallet } from '../wallet/service.server.ts';
import { ALL_LOSSES, eraseCustomer, exportCustomer } from './service.server.ts';
import { mobileNumberHash } from '../../security/tokens.server.ts';
import { laundryCommand } from '../staff/authentication.server.ts';

const photos = mkdtempSync(path.join(tmpdir(), 'dhulai-privacy-'));
const program = useProgram({ PHOTO_DIR: photos, BOT_CHECK: 'off' });

/** Words that occur in the data of this customer only. */
const WORDS = [
  'Zubeida',
  'zubeida@example.in',
  'Quetzal Towers',
  'Xanadu Lane',
  'Yonder gate',
  'vermilion kurta',
  'splendid folding',
  'umbrella',
];

/** A customer with an order, photos of customer and staff, a review, a report and money. */
async function newHistory() {
  const customer = await signUpCustomer(program, { name: 'Zubeida Khanna' });
  const { caller, userid } = customer;
  await program.db.updateTable('customers').set({ email: 'zubeida@example.in' }).where('id', '=', userid).execute();
  const address = { ...home, name: 'Zubeida Khanna', mobile: customer.mobile, address1: 'Quetzal Towers', address2: 'Xanadu Lane' };
  const { data } = await caller.send(addAddress, { ...address, landmark: 'Yonder gate', userid });
  const order = { ...washInManesar, userid, addressid: data?.addressid };
  const { orderid } = await place({ ...customer, order });
  await caller.send(addReview, { userid, star: 5, message: 'A splendid folding of everything' });
  const photo = await uploadedPhoto(caller);
  const report = { userid, orderid, kind: 'damaged' as const, message: 'The vermilion kurta has a hole', photos: [photo] };
  const claimid = (await caller.send(addClaim, report)).data?.claimid ?? '';
  const wallet = {
    customerId: userid,
    kind: 'promotion',
    amountPaise: asPaise(5000),
    reason: 'a welcome',
    at: program.clock.now(),
  } as const;
  await creditWallet(program.db, { ...wallet, reference: `welcome:${userid}` });
  const owner = await newStaff(program, 'owner');
  expect(await owner.caller.send(getDeskCustomer, { mobile: customer.mobile })).toMatchObject({ response: 'success' });
  await owner.caller.send(listOrders, { search: customer.mobile.slice(0, 8) });
  const { data: opened } = await owner.caller.send(getDeskOrder, { orderid });
  const reason = 'Zubeida has sold the umbrella';
  const cancelled = await owner.caller.send(cancelDeskOrder, { orderid, version: opened!.version, reason });
  expect(await owner.caller.send(moveBack, { orderid, version: cancelled.data!.version })).toMatchObject({ response: 'success' });
  const query = callPath(addOrderPhoto, { orderid, kind: 'damage' }).slice(1);
  const taken = await owner.caller.request('POST', query, samplePhoto('jpeg'), { 'content-type': 'image/jpeg' });
  const { photoid: staffPhoto } = (taken.json() as { data: { photoid: string } }).data;
  return { ...customer, orderid, claimid, photo, staffPhoto, owner };
}

type History = Awaited<ReturnType<typeof newHistory>>;

/** The staff writes about the customer wherever it can, and the keys keep its responses. */
async function writeAbout({ mobile, orderid, userid, owner: { caller } }: History) {
  const text = 'Has the umbrella of Zubeida';
  const review = await program.db.selectFrom('reviews').select('id').where('customer_id', '=', userid).executeTakeFirstOrThrow();
  const moderated = await caller.send(moderateReview, { reviewid: review.id, hidden: true, reason: text, reply: text }, newKey());
  const cash = { orderid, method: 'cash', amount: asPaise(1000), note: text } as const;
  const paid = await caller.send(receive, cash, newKey());
  const reversed = await caller.send(reversePayment, { tid: paid.data?.payments[0]?.tid ?? '', reason: text }, newKey());
  const second = await caller.send(receive, { ...cash, method: 'upi' }, newKey());
  const { data } = await caller.send(grant, { kind: 'promotion', mobile, amount: asPaise(1000), reason: text }, newKey());
  const offer = await caller.send(grant, { kind: 'offer', mobile, percent: 10, days: 3, reason: text }, newKey());
  const reversal = { entryid: data?.entry?.entryid ?? '', reason: text };
  const back = await caller.send(reverse, reversal, newKey());
  const visit = await caller.send(attempt, { orderid, version: second.data?.version ?? 0, why: 'nobody-home', note: text }, newKey());
  return [moderated, paid, reversed, second, offer, back, visit];
}

/** Returns the tables with a row that contains one of the words. */
async function tablesWith(words: readonly string[]) {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`.execute(program.db);
  const found: string[] = [];
  for (const { name } of rows) {
    const hits =
      await sql`select 1 from ${sql.table(name)} t where t::text ilike any (${words.map((word) => `%${word}%`)}::text[])`.execute(
        program.db,
      );
    if (hits.rows.length > 0) found.push(name);
  }
  return found;
}

const run = (...args: string[]) =>
  runWith({ DATABASE_URL: urlOf(program.connection), PHOTO_DIR: photos, SECRET: TEST_SECRET }, ['customer', ...args]);

test('exports everything, erases it once nothing is open, and leaves the books balanced', { timeout: 60_000 }, async () => {
  const history = await newHistory();
  const { caller, userid, mobile, orderid, claimid, photo, staffPhoto } = history;
  await moveOutForDelivery(program, orderid);
  for (const response of await writeAbout(history)) expect(response).toMatchObject({ response: 'success' });
  const words = [...WORDS, mobile];
  const holders = await tablesWith(words);
  expect(holders).toEqual(
    expect.arrayContaining([
      'addresses',
      'claim_messages',
      'customers',
      'ledger_entries',
      'offers',
      'order_event_authors',
      'order_events',
      'orders',
      'outbox_messages',
      'payment_reversals',
      'payments',
      'reviews',
      'staff_answers',
      'staff_audit',
    ]),
  );

  const exported = await run('export', mobile);
  expect(exported).toMatchObject({ code: 0, err: '' });
  for (const word of words) expect(exported.out).toContain(word);
  expect(JSON.parse(exported.out)).toMatchObject({
    customer: { id: userid, mobile },
    consents: [{ purpose: 'account', language: 'en', is_shown: false }],
    orders: [{ id: orderid }],
    events: expect.arrayContaining([expect.objectContaining({ order_id: orderid, kind: 'placed' })]),
    wallet: {
      balance_paise: 5000,
      movements: expect.arrayContaining([expect.objectContaining({ kind: 'promotion', amount_paise: 5000 })]),
    },
    reports: { photos: [{ id: photo }] },
    photos_of_orders: [{ id: staffPhoto, order_id: orderid }],
  });
  expect(exported.out).not.toContain('password');

  const refused = async (message: string) => {
    expect(await run('erase', mobile)).toEqual({ code: 1, out: '', err: message });
    expect(await tablesWith(words)).toEqual(holders);
  };
  await refused(
    `Deliver or cancel these orders first: ${orderid}. Before the washing: npm run order -- cancel <order>. From then on: npm run order -- move <order> <stage>, until it is delivered.`,
  );
  await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up', reason: 'Zubeida held the umbrella' });
  await refused(`Settle these reports first: ${claimid}.`);
  await answerClaim(program.db, claimid, 'We are sorry, Zubeida', program.clock.now());
  await settleClaim(program.db, { id: claimid, message: 'Settled', amountPaise: asPaise(0) }, program.clock.now());
  await refused(`These orders are delivered and not paid: ${orderid}. Note the payments, or add the word 'forfeit'.`);
  const rest = { orderid, method: 'cash', amountPaise: asPaise(6600), mayOverpay: false } as const;
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), rest, program.clock.now()));
  await refused("The wallet has ₹50.00: pay it back and add the word 'forfeit'.");

  for (const id of [photo, staffPhoto]) expect(existsSync(path.join(photos, id))).toBe(true);
  for (const command of [
    ['customer', 'erase', mobile, 'forfeit'],
    ['backup', `${photos}-backup`],
  ]) {
    const elsewhere = `${photos}-elsewhere`;
    const err = `The photos are not in ${elsewhere}, which does not exist: set DATA_DIR or PHOTO_DIR as the program has them.`;
    expect(await runWith({ DATABASE_URL: urlOf(program.connection), PHOTO_DIR: elsewhere }, command)).toEqual({ code: 1, out: '', err });
  }
  expect(await run('erase', mobile, 'forfeit')).toEqual({
    code: 0,
    err: '',
    out: `Erased: the customer ${mobile}. 1 order stays without name, number and address; 2 photos are deleted. ₹50.00 can no longer be spent.`,
  });
  expect(await tablesWith(words)).toEqual([]);
  for (const id of [photo, staffPhoto]) expect(existsSync(path.join(photos, id))).toBe(false);
  const searched = program.db.selectFrom('staff_audit').select('id').where('subject_id', '=', mobile.slice(0, 8));
  expect(await searched.execute()).toEqual([]);
  expect((await caller.get('auth/orders')).body).not.toContain('Zubeida');
  expect(await program.caller().send(login, { mobile, password: PASSWORD })).toMatchObject({ response: 'error' });
  // The proof of the consent and the amounts stay under the id.
  const consents = program.db.selectFrom('consents').select('purpose').where('customer_id', '=', userid);
  expect(await consents.execute()).toEqual([{ purpose: 'account' }]);
  const kept = program.db.selectFrom('orders').select('weight_grams').where('customer_id', '=', userid);
  expect(await kept.execute()).toEqual([{ weight_grams: 2000 }]);
  expect((await runWith({ DATABASE_URL: urlOf(program.connection) }, ['ledger', 'audit'])).code).toBe(0);
  const { number_hash: fingerprint } = await program.db.selectFrom('erased_numbers').selectAll().executeTakeFirstOrThrow();
  expect(fingerprint).toEqual(mobileNumberHash(TEST_SECRET)(mobile));
  // The code of the sign-up counts without the number (docs/decisions/0086).
  const codes = await program.db.selectFrom('verification_codes').select(['mobile', 'handle']).execute();
  expect(codes).toEqual([{ mobile: expect.stringMatching(/^0/), handle: null }]);
  await expect(requestCode(program.caller(), mobile, 'signup')).rejects.toMatchObject({ status: 429 });
  program.clock.advance(RESEND_AFTER_SECONDS);
  // The number can sign up again, as another customer.
  expect((await signUpCustomer(program, { mobile })).userid).not.toBe(userid);
});

test('does not give up the refund of a guest order without the word, and erases a customer by the id', { timeout: 30_000 }, async () => {
  const { caller, mobile, userid } = await newGuest(program);
  const { data } = await caller.send(addOrder, { ...washInManesar, guest_address: { ...home, mobile } });
  const orderid = data?.orderid ?? '';
  await moveOutForDelivery(program, orderid);
  const received = { orderid, method: 'cash', amountPaise: asPaise(10_000), mayOverpay: true } as const;
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), received, program.clock.now()));
  await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });
  const exported = await exportCustomer(program.db, { mobile }, program.clock.now());
  expect(exported?.data.wallet).toEqual({ balance_paise: 0, waiting_paise: 2400, movements: [] });
  const refusal = "₹24.00 of guest orders wait for an account: pay it back and add the word 'forfeit'.";
  expect(await run('erase', mobile)).toEqual({ code: 1, out: '', err: refusal });
  expect((await run('erase', userid, 'forfeit')).out).toContain(`Erased: the customer ${mobile}. 1 order stays`);
});

test('finds each table that refers to a customer in the export', async () => {
  const { rows } = await sql<{ name: string }>`
    select distinct conrelid::regclass::text as name from pg_constraint where contype = 'f' and confrelid = 'customers'::regclass order by 1`.execute(
    program.db,
  );
  // A new table belongs into exportCustomer and, if it identifies the customer, into eraseCustomer.
  expect(rows.map(({ name }) => name)).toEqual([
    'addresses',
    'claim_photos',
    'claims',
    'consents',
    'customers',
    'idempotency_keys',
    'ledger_accounts',
    'notification_settings',
    'offers',
    'orders',
    'referral_bonuses',
    'reviews',
    'sessions',
  ]);
});

test('exports and erases a guest, and refuses an unknown mobile in one line', { timeout: 30_000 }, async () => {
  const guest = await newGuest(program);
  expect(await exportCustomer(program.db, { mobile: guest.mobile }, program.clock.now())).toMatchObject({
    data: { customer: { id: guest.userid, name: null }, orders: [] },
    hiddenOrders: 0,
  });
  expect((await run('erase', guest.mobile)).code).toBe(0);
  for (const command of ['export', 'erase']) {
    expect(await run(command, guest.mobile)).toEqual({ code: 1, out: '', err: `No customer has the mobile '${guest.mobile}'.` });
  }
});

test('names the invalid word of a command, and erases and prints nothing', { timeout: 60_000 }, async () => {
  const notMobile = (text: string) => `'${text}' is not a mobile number: ten digits, without the country code.`;
  for (const [words, err] of [
    [['erase', '98765'], `${notMobile('98765')} Nothing was erased.`],
    [['erase', '+91 9898989898'], `${notMobile('+91 9898989898')} Nothing was erased.`],
    [['export', '919876543210'], `${notMobile('919876543210')} Nothing was printed.`],
    [['erase', '9876543210', 'forfit'], "'forfit' is not understood. Nothing was erased."],
    [['erase', '9876543210', 'forfeit', 'now'], "'forfeit now' is not understood. Nothing was erased."],
    [['export', '9876543210', 'forfeit'], "'forfeit' is not understood. Nothing was printed."],
    [['export'], expect.stringMatching(/^export needs a <mobile>\. Nothing was done\.\nnpm run -s customer -- export/)],
    [['delete', '9876543210'], expect.stringMatching(/^There is no command 'delete'\. Nothing was done\.\nnpm run -s customer/)],
  ] satisfies [string[], unknown][])
    expect(await runShared({ DATABASE_URL: urlOf(program.connection) }, ['customer', ...words]), words.join(' ')).toEqual({
      code: 1,
      out: '',
      err,
    });
});

test('exports no guest order of an earlier owner of the number', async () => {
  const mobile = newMobile();
  const former = program.caller();
  await verifyMobile(program, former, mobile, 'guest');
  const address = { ...home, name: 'Former Owner', mobile, address1: 'Former Towers' };
  const { data } = await former.send(addOrder, { ...washInManesar, guest_address: address });
  const orderid = data?.orderid ?? '';
  await former.send(addClaim, { orderid, kind: 'damaged', message: 'A former complaint', photos: [] });
  await moveOutForDelivery(program, orderid);
  const received = { orderid, method: 'cash', amountPaise: asPaise(1000), note: 'A former note' } as const;
  await transaction(program.db, (tx) => recordManualPaymentOnce(tx, laundryCommand(), received, program.clock.now()));
  const exportNow = () => exportCustomer(program.db, { mobile }, program.clock.now());
  program.clock.advance(60 * DAY_SECONDS - 1);
  expect(await exportNow()).toMatchObject({ data: { orders: [{ id: orderid }], consents: [{ purpose: 'order' }] }, hiddenOrders: 0 });

  program.clock.advance(1);
  await signUpCustomer(program, { mobile, name: 'New Owner' });
  const exported = await exportNow();
  expect(exported).toMatchObject({
    data: { customer: { name: 'New Owner' }, orders: [], consents: [{ purpose: 'account' }] },
    hiddenOrders: 1,
  });
  expect(JSON.stringify(exported)).not.toMatch(/former/i);
  expect(JSON.stringify(exported)).not.toContain(orderid);
});

test('erases what the browser reported about an order of the number after it proved another one', async () => {
  const { caller, mobile, userid } = await newGuest(program);
  const { data } = await caller.send(addOrder, { ...washInManesar, guest_address: { ...home, mobile } });
  const orderid = data?.orderid ?? '';
  const first = await caller.send(addClaim, { orderid, kind: 'other', message: 'Where are my socks?', photos: [] });
  await verifyMobile(program, caller, newMobile(), 'guest');
  const claimid = first.data?.claimid ?? '';
  const reply = await caller.send(addReply, { claimid, message: 'Here they are', photos: [await uploadedPhoto(caller)] });
  expect(reply.response).toBe('success');
  const second = await caller.send(addClaim, { orderid, kind: 'late', message: 'They are late', photos: [] });
  for (const id of [claimid, second.data?.claimid ?? '']) {
    await settleClaim(program.db, { id, amountPaise: asPaise(0), message: 'We found them.' }, program.clock.now());
  }
  await moveOutForDelivery(program, orderid);
  await moveOrder(program.db, orderid, 'delivered', program.clock.now(), { bonusTime: 'sign-up' });

  const deleted: string[] = [];
  const hashMobile = mobileNumberHash(TEST_SECRET);
  const storage = { delete: (id: string) => Promise.resolve(void deleted.push(id)) };
  expect(
    await eraseCustomer(program.db, storage, { id: userid, accepted: ALL_LOSSES, hashMobile, author: null, now: program.clock.now() }),
  ).toMatchObject({
    orders: 1,
    photos: 1,
  });
  expect(deleted).toHaveLength(1);
  const messages = await program.db
    .selectFrom('claim_messages')
    .innerJoin('claims', 'claims.id', 'claim_id')
    .select('message')
    .where('order_id', '=', orderid)
    .execute();
  expect(messages.length).toBe(5);
  expect(new Set(messages.map(({ message }) => message))).toEqual(new Set(['(erased)']));
});

test('an erasure deletes any number of stored responses, a few thousand in a statement', async () => {
  const { personid } = await newStaff(program, 'operator');
  await sql`
    create function refuse_many() returns trigger language plpgsql as $$ begin
      if (select count(*) from changed) > 5000 then raise 'a statement of so many rows reaches its time limit'; end if;
      return null;
    end $$`.execute(program.db);
  await sql`
    create trigger refuse_many after update on staff_answers
      referencing new table as changed for each statement execute function refuse_many()`.execute(program.db);
  onTestFinished(async () => void (await sql`drop function refuse_many cascade`.execute(program.db)));
  await sql`
    insert into staff_answers (staff_id, key, request_hash, created_at, answer)
    select ${personid}, 'many-responses-' || n, ''::bytea, ${program.clock.now()}::timestamptz, '{"response": "success"}' from generate_series(1, 12000) n`.execute(
    program.db,
  );
  const { userid } = await newGuest(program);
  const erasure = { id: userid, accepted: ALL_LOSSES, hashMobile: mobileNumberHash(TEST_SECRET), author: null, now: program.clock.now() };
  await eraseCustomer(program.db, { delete: async () => {} }, erasure);
  const rows = program.db.selectFrom('staff_answers').select((eb) => eb.fn.countAll<number>().as('count'));
  expect(await rows.where('answer', 'is not', null).executeTakeFirst()).toEqual({ count: 0 });
  expect(await rows.where('staff_id', '=', personid).where('is_done', '=', true).executeTakeFirst()).toEqual({ count: 12_000 });
});

test('an erasure leaves what the staff has done for others: a repeated payment is done, and a refused one is not', async () => {
  const { orderid } = await place(await newOrderingCustomer(program));
  await moveOutForDelivery(program, orderid);
  const { caller } = await newStaff(program, 'operator');
  const [paying, refused] = [newKey(), newKey()];
  const payment = { orderid, method: 'cash', amount: asPaise(1000) } as const;
  expect(await caller.send(receive, payment, paying)).toMatchObject({ response: 'success' });
  const unknown = { ...payment, orderid: 'NOSUCHORDER0' };
  expect(await caller.send(receive, unknown, refused)).toMatchObject({ response: 'error' });
  expect((await run('erase', (await newGuest(program)).mobile)).code).toBe(0);
  expect(await caller.send(receive, payment, paying)).toMatchObject({ response: 'success', data: { payments: [{ amount: 1000 }] } });
  await expect(caller.send(receive, unknown, refused)).rejects.toMatchObject({ status: 400, code: 'response-expired' });
  const payments = program.db.selectFrom('payments').select('amount_paise').where('order_id', '=', orderid);
  expect(await payments.execute()).toEqual([{ amount_paise: 1000 }]);
});
